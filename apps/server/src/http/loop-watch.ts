import type { Server } from 'node:http';
import type { LoopLag } from '#libs/platform';

/** Measures the event-loop lag only while the server listens: work during the start delays no request. */
export function watchLoop(server: Server, lag: LoopLag): void {
  server.once('listening', () => lag.start());
  server.once('close', () => lag.stop());
}
