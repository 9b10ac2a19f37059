import { resourceOf } from '../grants/grant.js';
import { isOwnResource } from './resource-indicator.js';

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
  // Whether there is a page is decided here, by who is signed in.
  'prompt',
]);

/** The request wants a code at once, or an error, and no page (OpenID Connect Core §3.1.2.1). */
export const wantsNoPage = (query: URLSearchParams) => query.getAll('prompt').includes('none');

/** Of a query that was cleaned: one that names nothing but scopes that do not exist here names none. */
export const namesScopes = (query: URLSearchParams) =>
  query.getAll('scope').some((s) => s.trim() !== '');

/** Then nobody can tell whom an error would have to go to. */
export const isAmbiguous = (query: URLSearchParams) =>
  query.getAll('client_id').length > 1 || query.getAll('redirect_uri').length > 1;

/**
 * The query of an authorization request as it is validated: empty parameters count as absent
 * (OAuth 2.1 §3.1), OpenID Connect ones are ignored, and so are scopes that do not exist here.
 */
export function cleanAuthorizationQuery(
  query: URLSearchParams,
  origin: string,
  supportedScopes: readonly string[],
): URLSearchParams {
  const cleaned = new URLSearchParams();
  for (const [name, value] of query) {
    if (value === '' || NOT_OURS.has(name)) continue;
    cleaned.append(name, value);
  }
  if (cleaned.getAll('scope').length === 1) keepSupported(cleaned, supportedScopes);
  restrictResponseMode(cleaned);
  canonicaliseResources(cleaned, origin);
  return cleaned;
}

function keepSupported(query: URLSearchParams, supported: readonly string[]) {
  const words = (query.get('scope') ?? '').split(' ').filter((word) => supported.includes(word));
  if (words.length > 0) query.set('scope', [...new Set(words)].join(' '));
  else query.delete('scope');
}

/** A mode the library knows but this server does not offer becomes one that nobody knows. */
function restrictResponseMode(query: URLSearchParams) {
  const modes = query.getAll('response_mode');
  if (modes.length === 1 && modes[0] !== 'query') query.set('response_mode', 'unsupported');
}

/** The library compares resource indicators letter by letter, so our own one gets our own spelling. */
function canonicaliseResources(query: URLSearchParams, origin: string) {
  const asked = query.getAll('resource');
  if (asked.length === 0) return;
  const spelt = asked.map((one) => (isOwnResource(one, origin) ? resourceOf(origin) : one));
  query.delete('resource');
  for (const one of new Set(spelt)) query.append('resource', one);
}
