import { resourceOf } from '../grant/grant.js';

/** What an administrator lets a machine client ask for. */
export interface MachineLimits {
  /** The only scopes that its tokens may have. */
  readonly scopes: readonly string[];
  /** The only resource of its tokens, as it is listed: a URL, or a path of each origin. By default `/svc/mcp`. */
  readonly resource?: string | undefined;
}

/** The identifier of that resource on an origin. */
export const resourceOfMachine = ({ resource }: MachineLimits, origin: string): string =>
  resource?.startsWith('/') ? origin + resource : (resource ?? resourceOf(origin));
