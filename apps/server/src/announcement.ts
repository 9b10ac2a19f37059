import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.js';

/** Where people reach the service when that is not where it listens. */
export interface Front {
  /** On `localhost`. */
  readonly port: number;
}

type Settings = Pick<Config, 'publicOrigins' | 'trustedProxies' | 'clientDocuments'>;

/** Lines for whoever starts the service: where it listens, and what will not work as it is set. */
export function announcement(
  settings: Settings,
  { address, port }: AddressInfo,
  front?: Front,
): string[] {
  const { publicOrigins, trustedProxies, clientDocuments } = settings;
  const behind = front === undefined ? '' : `, behind port ${front.port}`;
  const lines = [`Gatehouse listens on ${address} port ${port}${behind}`];
  if (publicOrigins === undefined) lines.push(...localAddresses(port, front));
  else {
    lines.push(`it answers at ${publicOrigins.join(', ')}`);
    lines.push(`MCP address: ${publicOrigins.map(mcpAt).join(', ')}`);
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

function localAddresses(port: number, front: Front | undefined): string[] {
  const address = mcpAt(`http://localhost:${front?.port ?? port}`);
  const lines = [
    `MCP address: ${address} (browsers run passkeys on localhost, never on 127.0.0.1)`,
  ];
  if (front === undefined) lines.push('for a page to try it on, run npm run demo instead');
  return lines;
}

const mcpAt = (origin: string) => `${origin}/svc/mcp`;
