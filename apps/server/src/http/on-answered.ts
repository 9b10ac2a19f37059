import { type IncomingMessage, ServerResponse } from 'node:http';
import { UPGRADED } from '#libs/tab-hub';

/** Emitted by a response when its answer is complete, even if it cannot be sent yet. */
const ENDED = Symbol('ended');

/**
 * Calls the listener once when the work for an answer is over: it is complete, its connection was upgraded for a tab,
 * or the client is gone. The client of pipelined requests decides how long a complete answer waits for earlier ones
 * on its connection. All of these are notified when the connection ends only with closeLostAnswers.
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
  // A shared function: a closure would keep its response alive until a full garbage collection.
  response.end = endAndTell;
  response.once('close', over);
  response.once(UPGRADED, over);
}

function endAndTell(this: ServerResponse, ...args: unknown[]): ServerResponse {
  this.emit(ENDED);
  return Reflect.apply(ServerResponse.prototype.end, this, args);
}
