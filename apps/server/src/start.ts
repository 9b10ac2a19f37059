import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { announcement, type Front } from './announcement.js';
import { type Extension, hasAccountPage } from './app.module-definition.js';
import { type Config, readConfig } from './config/config.js';
import { createApp } from './create-app.js';
import { endOnSignals } from './http/shutdown.js';
import { logStrayLines } from './observability/logging/service.logger.js';
import { expectSameCopies } from './package-copies.js';
import { describeStartFailure } from './start-failure.js';

/**
 * Runs the service as this process: configured by the environment, until a signal ends it. What keeps
 * it from starting is told on stderr, and the exit code is 1. From now on all that this process says on
 * the console is a line of the log. `front` is where people reach it, when something stands in front.
 */
export async function start(extensions: readonly Extension[] = [], front?: Front): Promise<void> {
  let config: Config | undefined;
  try {
    const [, script] = process.argv;
    if (script !== undefined && extensions.length > 0) expectSameCopies(script, script);
    config = readConfig();
    logStrayLines();
    const app = await createApp(config, extensions);
    endOnSignals(app);
    const server = await app.listen(config.listen.port, config.listen.host);
    const logger = new Logger('Start');
    const listening = server.address() as AddressInfo;
    const started = { listening, front, hasAccountPage: hasAccountPage(extensions) };
    for (const line of announcement(config, started)) logger.log(line);
    for (const line of config.misspelt) logger.warn(line);
  } catch (error) {
    process.stderr.write(describeStartFailure(error, config));
    process.exit(1);
  }
}
