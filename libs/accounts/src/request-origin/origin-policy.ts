import { isLoopbackHostname } from './loopback.js';
import type { OwnOrigin } from './own-origin.js';

/**
 * Whether the service answers on an origin. With a list of public origins only those; without one
 * only plain-http loopback, for development. Plain http beyond loopback never (service contract).
 */
export function isServed(own: OwnOrigin, publicOrigins?: readonly string[]): boolean {
  const loopback = isLoopbackHostname(own.hostname);
  if (!own.secure && !loopback) return false;
  return publicOrigins ? publicOrigins.includes(own.origin) : !own.secure && loopback;
}
