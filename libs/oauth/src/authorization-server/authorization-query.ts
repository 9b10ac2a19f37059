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
