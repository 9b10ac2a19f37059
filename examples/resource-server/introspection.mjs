import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';

// As `introspection` of the resource in RESOURCES_FILE, which has the SHA-256 of the secret.
const { CLIENT_ID, CLIENT_SECRET } = process.env;
const basic = [CLIENT_ID, CLIENT_SECRET].map(encodeURIComponent).join(':');
const headers = { authorization: `Basic ${btoa(basic)}` };

/** The forms of an opaque token and of a JWT: Gatehouse answers a limited number of questions a minute. */
const FORMS = [/^[\w-]{43}$/, /^[\w-]+\.[\w-]+\.[\w-]+$/];
const NOT_GOOD = 'the access token is not good here';

/** Asks Gatehouse about every token (RFC 7662): one that was revoked is refused at once. */
export function verifierFor({ issuer, introspection_endpoint: endpoint }, resource) {
  return {
    async verifyAccessToken(token) {
      if (!FORMS.some((form) => form.test(token))) {
        throw new OAuthError(OAuthErrorCode.InvalidToken, NOT_GOOD);
      }
      const body = new URLSearchParams({ token });
      const answer = await fetch(endpoint, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`introspection was answered with ${answer.status}`);
      const told = await answer.json();
      if (!told.active || told.iss !== issuer || told.aud !== resource) {
        throw new OAuthError(OAuthErrorCode.InvalidToken, NOT_GOOD);
      }
      return {
        token,
        clientId: told.client_id,
        scopes: told.scope.split(' '),
        expiresAt: told.exp,
        resource: new URL(told.aud),
        extra: { userId: told.sub },
      };
    },
  };
}
