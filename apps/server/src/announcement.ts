import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.js';

/** The port at which people reach the service when a proxy is in front of it. */
export interface Front {
  /** On `localhost`. */
  readonly port: number;
}

interface Started {
  readonly listening: AddressInfo;
  readonly front?: Front | undefined;
  readonly hasAccountPage: boolean;
  /** With extensions the package runs in a repository of a team, which has no demo. */
  readonly hasExtensions: boolean;
}

type Settings = Pick<Config, 'publicOrigins' | 'trustedProxies' | 'clientDocuments'>;

/** Lines for the operator who starts the service: where it listens, and which settings will not work. */
export function announcement(settings: Settings, started: Started): string[] {
  const { publicOrigins, trustedProxies, clientDocuments } = settings;
  const { listening, front } = started;
  const behind = front === undefined ? '' : `, behind port ${front.port}`;
  const lines = [`Gatehouse listens on ${listening.address} port ${listening.port}${behind}`];
  if (publicOrigins === undefined) lines.push(...localAddresses(started));
  else {
    lines.push(`it answers at ${publicOrigins.join(', ')}`);
    lines.push(...addresses(publicOrigins, started));
  }
  if (publicOrigins !== undefined && trustedProxies.length === 0) {
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

function localAddresses(started: Started): string[] {
  const { listening, front, hasExtensions } = started;
  const origin = `http://localhost:${front?.port ?? listening.port}`;
  const lines = [...addresses([origin], started), BROWSERS];
  if (front === undefined && !hasExtensions) {
    lines.push('for an example site to try it on, run npm run demo instead');
  }
  return lines;
}

const BROWSERS = 'browsers run passkeys on localhost, never on 127.0.0.1';

const addresses = (origins: readonly string[], { hasAccountPage }: Started): string[] => [
  ...(hasAccountPage ? [`account page: ${at(origins, '/svc/account')}`] : []),
  `MCP address: ${at(origins, '/svc/mcp')}`,
];

const at = (origins: readonly string[], path: string) =>
  origins.map((origin) => `${origin}${path}`).join(', ');
