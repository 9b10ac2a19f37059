import { BearerError } from './bearer.error.js';

/** Longer tokens are refused unread. */
const MAX_TOKEN_LENGTH = 512;
/** 256 bits in base64url, the form that the authorization server issues. */
const OURS = /^[A-Za-z0-9_-]{43}$/;
const BEARER = /^bearer(?:[ \t]+|$)/i;
/** `b64token` of RFC 6750 §2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * The token in a request's `Authorization` values. Undefined when there is none, or another scheme.
 * A token in the query is ignored, but together with one in the header it counts as two credentials.
 * @throws BearerError invalid_request for two credentials, invalid_token for a malformed token
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

/** Whether a token has the form of ours; others need no look-up. */
export const isOfOurForm = (token: string): boolean => OURS.test(token);
