import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { announcement } from './announcement.js';
import type { Extension } from './app.module-definition.js';
import { readConfig } from './config/config.js';
import { createApp } from './create-app.js';
import { endOnSignals } from './http/process-signals.adapter.js';
import { describeStartFailure } from './start-failure.js';

/**
 * Runs the service as this process: configured by the environment, until a signal ends it. What keeps
 * it from starting is told on stderr, and the exit code is 1.
 */
export async function start(extensions: readonly Extension[] = []): Promise<void> {
  try {
    const config = readConfig();
    const app = await createApp(config, extensions);
    endOnSignals(app);
    const server = await app.listen(config.listen.port, config.listen.host);
    const logger = new Logger('Start');
    for (const line of announcement(config, server.address() as AddressInfo)) logger.log(line);
  } catch (error) {
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}
