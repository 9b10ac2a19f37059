import { type INestApplication, Logger } from '@nestjs/common';
import { DrainingAdapter } from './draining.adapter.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Shuts the process down gracefully on a signal, with exit code 0. Further signals have no effect. */
export function endOnSignals(app: INestApplication): void {
  const logger = new Logger('End');
  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    logger.log(`${signal}: no new connections, requests under way are finished`);
    try {
      const adapter = app.getHttpAdapter();
      if (adapter instanceof DrainingAdapter) await adapter.drainConnections();
      await app.close();
      process.exit(0);
    } catch (error) {
      logger.error(error);
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, (name) => void end(name));
}
