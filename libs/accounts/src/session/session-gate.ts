import { isForeignOrigin } from '../request-origin/own-origin.js';

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

/** A page that other sites link to: a cross-site document load of it may use the cookie. */
export interface LinkedPage {
  readonly path: string;
  /** Whether a GET without Fetch Metadata, of an older browser, may use the cookie whatever its `Referer`. */
  readonly withoutFetchMetadata?: boolean;
}

/**
 * Whether the session cookie of a request is accepted; the first rule that matches decides. A cookie that is not
 * accepted means signed out, never an error. SameSite alone is not enough: a same-site page on another origin sends
 * the Lax cookie too. See docs/about/security.md for the table.
 */
export function isCookieBelieved(
  ownOrigin: string,
  request: RequestProvenance,
  linkedPages: readonly LinkedPage[],
): boolean {
  const page = linkedPages.find(({ path }) => path === request.path);
  if (isForeignOrigin(request.origin, ownOrigin)) return false;
  if (request.origin !== undefined) return true;
  if (request.fetchSite === 'same-origin' || request.fetchSite === 'none') return true;
  if (request.fetchSite !== undefined) return page !== undefined && isDocumentLoad(request);
  if (request.method === 'GET' && page?.withoutFetchMetadata) return true;
  return request.referer === undefined || originOf(request.referer) === ownOrigin;
}

function isDocumentLoad({ method, upgrade, fetchMode, fetchDest }: RequestProvenance) {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !upgrade && fetchMode === 'navigate' && fetchDest === 'document';
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);
