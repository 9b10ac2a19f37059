import { type IncomingMessage, ServerResponse } from 'node:http';
import { UPGRADED } from '#libs/tab-hub';

/** Event of a response whose answer is complete, whether it can be sent by now or not. */
const ENDED = Symbol('ended');

/**
 * Calls once when nothing more is done for an answer: it is complete, its connection became a tab's, or
 * nobody is there to get it. A complete answer may have to wait for others of its connection to be sent
 * first, for as long as whoever sent the requests likes. That all of these hear when the connection ends
 * takes closeLostAnswers.
 */
export function onAnswered(
  { socket }: IncomingMessage,
  response: ServerResponse,
  listener: () => void,
): void {
  if (socket.destroyed) return listener();
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    listener();
  };
  response.once(ENDED, over);
  // The same function for all: a closure would keep its response until a full garbage collection.
  response.end = endAndTell;
  response.once('close', over);
  response.once(UPGRADED, over);
}

function endAndTell(this: ServerResponse, ...args: unknown[]): ServerResponse {
  this.emit(ENDED);
  return Reflect.apply(ServerResponse.prototype.end, this, args);
}
