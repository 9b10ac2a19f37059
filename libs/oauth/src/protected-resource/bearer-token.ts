import { BearerError } from './bearer.error.js';

/** Ours have 43 characters; nothing longer than this is looked up. */
const MAX_TOKEN_LENGTH = 512;
const BEARER = /^bearer(?:[ \t]+|$)/i;
/** `b64token` of RFC 6750 §2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * The token in a request's `Authorization` values. Undefined when there is none, or another scheme.
 * A token in the query counts for nothing, but beside one in the header it makes two credentials.
 * @throws BearerError invalid_request for two credentials, invalid_token for what can be no token
 */
export function readBearerToken(
  authorizations: readonly string[],
  queryHasToken = false,
): string | undefined {
  if (authorizations.length > 1) {
    throw new BearerError('invalid_request', 'send one Authorization header');
  }
  const [authorization = ''] = authorizations;
  if (!BEARER.test(authorization)) return undefined;
  const token = authorization.replace(BEARER, '').trimEnd();
  if (token === '') return undefined;
  if (queryHasToken) {
    throw new BearerError('invalid_request', 'send the access token once, in the header');
  }
  if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) {
    throw new BearerError('invalid_token', 'the access token is malformed');
  }
  return token;
}
