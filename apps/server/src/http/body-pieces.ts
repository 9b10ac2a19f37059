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
 * Cuts the connection of a body that comes in thousands of tiny pieces, read or not: each of them takes
 * more work and memory than all that is in it. No client writes so, and nothing can be told to one
 * that does: whatever it sent already would have to be read first.
 */
export function cutTinyPieces(request: IncomingMessage): void {
  // The same function for all: a closure would keep its request until a full garbage collection.
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
