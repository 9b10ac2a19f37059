import { isJsonObject, parseJson } from '#libs/platform';
import { invalidRequest, OAuthError } from '../oauth-endpoints.js';

export interface PresentedCredentials {
  readonly clientId: string;
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
}

/**
 * The client that a token request claims to come from, and its authentication method (RFC 6749 §2.3).
 * Throws OAuthError: 400 for two methods at once, 401 for none or an unreadable one.
 */
export function presentedCredentials(
  form: URLSearchParams,
  authorization: string | undefined,
): PresentedCredentials {
  const assertion = form.get('client_assertion');
  const methods = [authorization, form.get('client_secret'), assertion].filter(Boolean);
  if (methods.length > 1) throw invalidRequest('use one way of client authentication, not several');
  const named = form.get('client_id') ?? undefined;
  if (authorization !== undefined) {
    const clientId = basicClientId(authorization);
    if (named !== undefined && named !== clientId) throw invalidRequest('client_id differs');
    return { clientId, method: 'client_secret_basic' };
  }
  const clientId = named ?? (assertion ? assertionSubject(assertion) : undefined);
  if (clientId === undefined) throw invalidClient('client_id is missing');
  if (assertion) return { clientId, method: 'private_key_jwt' };
  return { clientId, method: form.has('client_secret') ? 'client_secret_post' : 'none' };
}

export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OAuth"' };

/** 401, with a challenge when the client used the Authorization header (RFC 6749 §5.2). */
export const invalidClient = (description: string, basic = false) =>
  new OAuthError(401, 'invalid_client', description, basic ? BASIC_CHALLENGE : {});

function basicClientId(authorization: string): string {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [id, secret] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':', 2);
  if (!id || !secret) throw invalidClient('the Authorization header could not be read', true);
  try {
    return decodeURIComponent(id.replaceAll('+', ' '));
  } catch {
    throw invalidClient('the Authorization header could not be read', true);
  }
}

function assertionSubject(assertion: string): string | undefined {
  const [, payload = ''] = assertion.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!isJsonObject(claims)) return undefined;
  return typeof claims['sub'] === 'string' ? claims['sub'] : undefined;
}
