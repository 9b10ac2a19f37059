import { Session } from 'node:inspector';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { type Extension, hasAccountPage } from './app.module-definition.js';
import { type Config, readConfig } from './config/config.js';
import { createApp } from './create-app.js';
import { endOnSignals } from './http/shutdown.js';
import { logStrayLines } from './observability/logging/service.logger.js';
import { describeStartFailure } from './start-failure.js';

interface Front {
  readonly port: number;
}

/**
 * Runs the service as this process: configured by the environment, until a signal ends it. A failed start is
 * explained on stderr, with exit code 1. From this call on the console output of the process is a log of JSON lines.
 */
export async function start(extensions: readonly Extension[] = [], front?: Front): Promise<void> {
  try {
    const config = readConfig();
    logStrayLines();
    const app = await createApp(config, extensions);
    endOnSignals(app);
    await collectGarbage();
    const server = await app.listen(config.listen.port, config.listen.host);
    const logger = new Logger('Start');
    for (const line of announcement(config, server.address() as AddressInfo, extensions, front)) {
      logger.log(line);
    }
    for (const line of [...config.misspelt, ...config.exposed]) logger.warn(line);
  } catch (error) {
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}

/**
 * Gives back what only the start needed: otherwise V8 keeps it, a third of the process, until there is much work. Needs
 * `--allow-inspector` under Node's permission model.
 */
async function collectGarbage() {
  if (process.permission?.has('inspector') === false) return;
  const session = new Session();
  session.connect();
  await new Promise((done) => session.post('HeapProfiler.collectGarbage', done));
  session.disconnect();
}

function* announcement(
  { publicOrigins, trustedProxies, clientDocuments }: Config,
  { address, port }: AddressInfo,
  extensions: readonly Extension[],
  front?: Front,
): Iterable<string> {
  const origins = publicOrigins ?? [`http://localhost:${front?.port ?? port}`];
  const at = (path: string) => origins.map((origin) => origin + path).join(', ');
  yield `Gatehouse listens on ${address} port ${port}${front ? `, behind port ${front.port}` : ''}`;
  if (hasAccountPage(extensions)) yield `account page: ${at('/svc/account')}`;
  yield `MCP address: ${at('/svc/mcp')}`;
  if (publicOrigins === undefined) {
    yield 'browsers run passkeys on localhost, never on 127.0.0.1';
  } else if (trustedProxies.length === 0) {
    yield 'TRUSTED_PROXIES is unset: all visitors share one rate limit, and https origins are not seen';
  }
  if (clientDocuments.privateHosts.length > 0) {
    yield 'CIMD_PRIVATE_HOSTS is set: documents may come from private addresses; for development only';
  }
}
