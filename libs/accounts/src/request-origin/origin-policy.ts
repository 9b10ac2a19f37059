import { isLoopbackHostname } from './loopback.js';
import type { OwnOrigin } from './own-origin.js';

/**
 * Whether the service answers on an origin: with a list of public origins only on those, without one only on
 * plain-http loopback, for development. Never on plain http beyond loopback (service contract).
 */
export function isServed(own: OwnOrigin, publicOrigins?: readonly string[]): boolean {
  const loopback = isLoopbackHostname(own.hostname);
  if (!own.secure && !loopback) return false;
  return publicOrigins ? publicOrigins.includes(own.origin) : !own.secure && loopback;
}
