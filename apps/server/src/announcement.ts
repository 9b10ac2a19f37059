import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.js';

/** Lines for whoever starts the service: where it listens, and what will not work as it is set. */
export function announcement(config: Config, { address, port }: AddressInfo): string[] {
  const { publicOrigins, trustedProxies, clientDocuments } = config;
  const local = publicOrigins === undefined;
  const lines = [`Gatehouse listens on ${address} port ${port}`];
  if (local) {
    lines.push(
      `open http://localhost:${port} (browsers run passkeys on localhost, never on 127.0.0.1)`,
    );
  } else {
    lines.push(`it answers at ${publicOrigins.join(', ')}`);
  }
  if (!local && trustedProxies.length === 0) {
    lines.push(
      'TRUSTED_PROXIES is unset: all visitors share one rate limit, and https origins are not seen',
    );
  }
  if (clientDocuments.privateHosts.length > 0) {
    lines.push(
      'CIMD_PRIVATE_HOSTS is set: documents may come from private addresses; for development only',
    );
  }
  return lines;
}
