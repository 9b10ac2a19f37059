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

const AUTHORIZE = '/svc/oauth/authorize';

/** Pages that other sites link to: a cross-site document load of these may use the cookie. */
const LINKED_PAGES: ReadonlySet<string> = new Set([AUTHORIZE, '/svc/account', '/']);

/**
 * Whether the session cookie of a request is accepted; the first rule that matches decides. A cookie that is not
 * accepted means signed out, never an error. SameSite alone is not enough: a same-site page on another origin sends
 * the Lax cookie too. See docs/about/security.md for the table.
 */
export function isCookieBelieved(ownOrigin: string, request: RequestProvenance): boolean {
  if (isForeignOrigin(request.origin, ownOrigin)) return false;
  if (request.origin !== undefined) return true;
  if (request.fetchSite === 'same-origin' || request.fetchSite === 'none') return true;
  if (request.fetchSite !== undefined) return isLinkedPageLoad(request);
  if (request.method === 'GET' && request.path === AUTHORIZE) return true;
  return request.referer === undefined || originOf(request.referer) === ownOrigin;
}

function isLinkedPageLoad({ method, path, upgrade, fetchMode, fetchDest }: RequestProvenance) {
  const reads = method === 'GET' || method === 'HEAD';
  const loadsDocument = fetchMode === 'navigate' && fetchDest === 'document';
  return reads && LINKED_PAGES.has(path) && !upgrade && loadsDocument;
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);
