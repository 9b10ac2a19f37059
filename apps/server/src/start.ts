import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { announcement, type Front } from './announcement.js';
import { type Extension, hasAccountPage } from './app.module-definition.js';
import { type Config, readConfig } from './config/config.js';
import { createApp } from './create-app.js';
import { endOnSignals } from './http/shutdown.js';
import { logStrayLines } from './observability/logging/service.logger.js';
import { describeStartFailure } from './start-failure.js';

/**
 * Runs the service as this process: configured by the environment, until a signal ends it. A failed start is
 * explained on stderr, with exit code 1. From this call on the console output of the process is a log of JSON lines.
 * `front` is the address that people use when a proxy is in front of the service.
 */
export async function start(extensions: readonly Extension[] = [], front?: Front): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig();
    logStrayLines();
    const app = await createApp(config, extensions);
    endOnSignals(app);
    const server = await app.listen(config.listen.port, config.listen.host);
    const logger = new Logger('Start');
    const listening = server.address() as AddressInfo;
    const started = {
      listening,
      front,
      hasAccountPage: hasAccountPage(extensions),
      hasExtensions: extensions.length > 0,
    };
    for (const line of announcement(config, started)) logger.log(line);
    for (const line of [...config.misspelt, ...config.exposed]) logger.warn(line);
  } catch (error) {
    process.stderr.write(describeStartFailure(error, config));
    process.exit(1);
  }
}
