import type { IncomingHttpHeaders } from 'node:http';
import { isForeignOrigin, isOwnUnnamed } from '#libs/accounts';
import type { AuthorizationRequest } from '../consent/consent.store.js';
import type { ResourcesService } from '../resource/resource.js';
import { BETWEEN_SCOPES, scopeNames, scopeWords } from '../scope.js';

/** OpenID Connect parameters that some clients send; without `openid` the library refuses them. */
const NOT_OURS = new Set([
  'nonce',
  'claims',
  'claims_locales',
  'max_age',
  'id_token_hint',
  'acr_values',
  'ui_locales',
  'registration',
  'login_hint',
  'display',
  // This server decides which page to show, by whether the user is signed in.
  'prompt',
]);

/** Whether the client asks for an immediate response without a page (OpenID Connect Core §3.1.2.1). */
export const wantsNoPage = (query: URLSearchParams) => query.getAll('prompt').includes('none');

/** Takes a cleaned query: one that listed only scopes that do not exist here has none left. */
export const namesScopes = (query: URLSearchParams) =>
  query.getAll('scope').some((s) => s.trim() !== '');

/** A repeated client_id or redirect_uri leaves open which client an error should be sent to. */
export const isAmbiguous = (query: URLSearchParams) =>
  query.getAll('client_id').length > 1 || query.getAll('redirect_uri').length > 1;

/** A request without these was probably cut where its address was copied; most clients send `redirect_uri` first. */
export const isCut = (query: URLSearchParams) =>
  !query.has('redirect_uri') || !query.has('code_challenge');

/** The query as it is validated, without empty parameters (OAuth 2.1 §3.1), OpenID ones and unknown scopes. */
export function cleanAuthorizationQuery(
  query: URLSearchParams,
  origin: string,
  resources: ResourcesService,
): URLSearchParams {
  const cleaned = new URLSearchParams();
  for (const [name, value] of query) {
    if (value === '' || NOT_OURS.has(name)) continue;
    cleaned.append(name, value);
  }
  // The library compares resource indicators as strings, so other spellings of ours are normalised here.
  const indicators = new Set(
    cleaned
      .getAll('resource')
      .map((indicator) => resources.find(origin, indicator)?.resource ?? indicator),
  );
  cleaned.delete('resource');
  for (const indicator of indicators) cleaned.append('resource', indicator);
  const [first] = indicators;
  const resource = resources.find(origin, first ?? '') ?? resources.defaultOf(origin);
  const supported = scopeNames(resource.scopes);
  const scopes = cleaned.getAll('scope');
  if (scopes.length === 1) {
    const words = scopeWords(scopes[0], BETWEEN_SCOPES).filter((word) => supported.includes(word));
    if (words.length > 0) cleaned.set('scope', words.join(' '));
    else cleaned.delete('scope');
  }
  // The library supports further response modes. It refuses an unknown one.
  const modes = cleaned.getAll('response_mode');
  if (modes.length === 1 && modes[0] !== 'query') cleaned.set('response_mode', 'unsupported');
  return cleaned;
}

/** The redirect URI of the request, unchanged, with the response, its `state` and our `iss` (RFC 9207) in the query. */
export function responseLocation(
  issuer: string,
  { redirectUri, state }: AuthorizationRequest,
  response: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(response);
  if (state !== undefined) query.set('state', state);
  query.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

/** The library's error redirect with the response in the query, the only mode here, where it uses the fragment. */
export function inQuery(location: string): string {
  const target = new URL(location);
  for (const [name, value] of new URLSearchParams(target.hash.slice(1))) {
    target.searchParams.set(name, value);
  }
  target.hash = '';
  return target.href;
}

/** Whether a top-level page is asked for: a document, or no browser asks. Node's fetch sends only the mode. */
export function isPageLoad(headers: IncomingHttpHeaders): boolean {
  // A service worker of the site receives the response first.
  if (headers['service-worker-navigation-preload'] !== undefined) return false;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination === 'document';
  return headers['sec-fetch-site'] === undefined;
}

/** Whether a window navigated with the answer, perhaps through a service worker, which can only forward navigations. */
export function isFormSubmission(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination === undefined || destination === 'document') return true;
  return destination === 'empty' && headers['sec-fetch-mode'] === 'navigate';
}

/** Whether a consent answer was sent by a page of another origin, as far as the browser tells. */
export const isForeignAnswer = (
  ownOrigin: string,
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
): boolean =>
  !isOwnUnnamed(origin, site) &&
  (isForeignOrigin(origin, ownOrigin) || site === 'same-site' || site === 'cross-site');
