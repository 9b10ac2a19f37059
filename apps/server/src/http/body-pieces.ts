import { IncomingMessage } from 'node:http';
import { RequestMember } from '#libs/platform';

const MAX_SMALL_PIECES = 1_000;
const SMALL_BYTES = 64;

interface Arrived {
  pieces: number;
  bytes: number;
}

const bodies = new RequestMember<Arrived>();

/**
 * Cuts the connection of a body that arrives in thousands of tiny chunks, whether it is being read or not: the
 * overhead of each chunk exceeds its content. No regular client does this, and there is no answer: the rest of the
 * body would have to be read first.
 */
export function cutTinyPieces(request: IncomingMessage): void {
  // A shared function: a closure would keep its request alive until a full garbage collection.
  request.push = pushCounted;
}

function pushCounted(this: IncomingMessage, piece: Buffer | null): boolean {
  if (piece === null) return IncomingMessage.prototype.push.call(this, piece);
  const arrived = bodies.get(this) ?? { pieces: 0, bytes: 0 };
  bodies.set(this, arrived);
  arrived.pieces += 1;
  arrived.bytes += piece.length;
  if (arrived.pieces <= MAX_SMALL_PIECES + arrived.bytes / SMALL_BYTES) {
    return IncomingMessage.prototype.push.call(this, piece);
  }
  this.destroy();
  return false;
}
