import type { IncomingMessage } from 'node:http';

const MAX_SMALL_PIECES = 1_000;
const SMALL_BYTES = 64;

/**
 * Cuts the connection of a body that comes in thousands of tiny pieces, read or not: each of them takes
 * more work and memory than all that is in it. No client writes so, and nothing can be told to one
 * that does: whatever it sent already would have to be read first.
 */
export function cutTinyPieces(request: IncomingMessage): void {
  const { push } = request;
  let [pieces, bytes] = [0, 0];
  request.push = (piece: Buffer | null) => {
    pieces += 1;
    bytes += piece?.length ?? 0;
    if (pieces <= MAX_SMALL_PIECES + bytes / SMALL_BYTES) return push.call(request, piece);
    request.destroy();
    return false;
  };
}
