import type { LinkedPage } from '../accounts.module-definition.js';
import { isForeignOrigin, isOwnUnnamed } from '../request-origin/own-origin.js';

/** Headers that tell where a request comes from. */
export interface RequestProvenance {
  readonly method: string;
  readonly path: string;
  readonly upgrade: boolean;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
}

/**
 * Whether the session cookie of a request is accepted; the first rule that matches decides. A cookie that is not
 * accepted means signed out, never an error. SameSite alone is not enough: a same-site page on another origin sends
 * the Lax cookie too. See docs/about/security.md for the table.
 */
export function acceptsSessionCookie(
  ownOrigin: string,
  request: RequestProvenance,
  linkedPages: readonly LinkedPage[],
): boolean {
  const page = linkedPages.find(({ path }) => path === request.path);
  const { origin, fetchSite } = request;
  if (page?.takesForm && request.method === 'POST' && isOwnUnnamed(origin, fetchSite)) return true;
  if (isForeignOrigin(origin, ownOrigin)) return false;
  if (origin !== undefined) return true;
  if (fetchSite === 'same-origin' || fetchSite === 'none') return true;
  if (fetchSite !== undefined) return page !== undefined && isDocumentLoad(request);
  if (request.method === 'GET' && page?.withoutFetchMetadata) return true;
  return request.referer === undefined || originOf(request.referer) === ownOrigin;
}

function isDocumentLoad({ method, upgrade, fetchMode, fetchDest }: RequestProvenance) {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !upgrade && fetchMode === 'navigate' && fetchDest === 'document';
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);
