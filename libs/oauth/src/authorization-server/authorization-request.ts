/** An authorization request that passed every check; it waits in a consent for the user's answer. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** The app's name as the page shows it; a grant keeps it, whatever the client is called later. */
  readonly app: string;
  readonly redirectUri: string;
  /** The supported scopes that were asked for; undefined when the client named none at all. */
  readonly scopes: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly resource: string;
  readonly codeChallenge: string;
}

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
]);

export const namesScopes = (query: URLSearchParams) =>
  query.getAll('scope').some((s) => s.trim() !== '');

/**
 * The query of an authorization request as it is validated: empty parameters count as absent
 * (OAuth 2.1 §3.1), OpenID Connect ones are ignored, and so are scopes that do not exist here.
 */
export function cleanAuthorizationQuery(
  query: URLSearchParams,
  supportedScopes: readonly string[],
): URLSearchParams {
  const cleaned = new URLSearchParams();
  for (const [name, value] of query) {
    if (value === '' || NOT_OURS.has(name)) continue;
    if (name === 'prompt' && value !== 'none') continue;
    cleaned.append(name, value);
  }
  if (cleaned.getAll('scope').length === 1) keepSupported(cleaned, supportedScopes);
  return cleaned;
}

function keepSupported(query: URLSearchParams, supported: readonly string[]) {
  const words = (query.get('scope') ?? '').split(' ').filter((word) => supported.includes(word));
  if (words.length > 0) query.set('scope', [...new Set(words)].join(' '));
  else query.delete('scope');
}
