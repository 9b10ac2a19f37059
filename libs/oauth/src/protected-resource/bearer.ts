import { ExpectedError } from '#libs/accounts';
import { metadataUrl, type Resource } from '../resource/resource.js';
import { scopeNames } from '../scope.js';

/** RFC 6750 §3.1. */
type BearerErrorCode = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/**
 * Refusal of a request to the protected resource. Without a code, the request had no bearer token: the
 * response says how to get one and names no error. The message is for people.
 */
export class BearerError extends ExpectedError {
  override name = 'BearerError';
  readonly status: number;

  /** `scopes` are those that the client should request now; by default those to begin with. */
  constructor(
    readonly code: BearerErrorCode | undefined,
    message: string,
    readonly scopes?: readonly string[],
  ) {
    super(message);
    this.status = code === undefined ? 401 : STATUS[code];
  }
}

/** Longer tokens are refused unread, unless a resource has longer ones. */
const MAX_TOKEN_LENGTH = 512;
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
  maxLength = MAX_TOKEN_LENGTH,
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
  if (token.length > maxLength || !TOKEN.test(token)) {
    throw new BearerError('invalid_token', 'the access token is malformed');
  }
  return token;
}

/**
 * A `WWW-Authenticate` value (RFC 6750 §3, RFC 9728 §5.1). Nothing in it needs escaping: resource identifiers,
 * scope names (RFC 6749 §3.3) and our own messages contain neither quotes nor backslashes.
 */
export function bearerChallenge(
  { code, message, scopes }: BearerError,
  resource: Pick<Resource, 'resource' | 'scopes'>,
): string {
  const parameters = [
    'realm="OAuth"',
    `resource_metadata="${metadataUrl(resource)}"`,
    `scope="${(scopes ?? scopesToBeginWith(resource)).join(' ')}"`,
  ];
  if (code !== undefined) parameters.push(`error="${code}"`, `error_description="${message}"`);
  return `Bearer ${parameters.join(', ')}`;
}

/**
 * Throws BearerError insufficient_scope, with all scopes to request, unless the needed ones are granted. `kept` are
 * those to request beside the missing ones.
 */
export function expectScopes(
  needed: Iterable<string>,
  granted: readonly string[],
  allScopes: readonly string[],
  kept = granted,
): void {
  const missing = [...new Set(needed)].filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  const scopes = allScopes.filter((scope) => kept.includes(scope) || missing.includes(scope));
  throw new BearerError('insufficient_scope', `this call needs ${missing.join(' ')}`, scopes);
}

/** The baseline of a resource, or all scopes of one that has none. */
function scopesToBeginWith({ scopes }: Pick<Resource, 'scopes'>): string[] {
  const baseline = scopes.filter((scope) => scope.baseline);
  return scopeNames(baseline.length > 0 ? baseline : scopes);
}
