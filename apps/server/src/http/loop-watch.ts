import type { Server } from 'node:http';
import type { LoopLag } from '#libs/platform';

/** The lag is measured while the server listens: what a start takes holds nobody up. */
export function watchLoop(server: Server, lag: LoopLag): void {
  server.once('listening', () => lag.start());
  server.once('close', () => lag.stop());
}
