import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

/** Checks tokens by their signature (RFC 9068 §4): nothing is asked of Gatehouse but its keys, now and then. */
export function verifierFor({ issuer, jwks_uri: jwksUri }, resource) {
  const keys = createRemoteJWKSet(new URL(jwksUri));
  const good = { issuer, audience: resource, typ: 'at+jwt', algorithms: ['ES256', 'EdDSA'] };
  return {
    async verifyAccessToken(token) {
      const { payload } = await jwtVerify(token, keys, good).catch(refuse);
      return {
        token,
        clientId: payload.client_id,
        scopes: payload.scope.split(' '),
        expiresAt: payload.exp,
        resource: new URL(payload.aud),
        extra: { userId: payload.sub },
      };
    },
  };
}

/** Keys that cannot be fetched say nothing about the token: clients throw one away that is refused with 401. */
function refuse(error) {
  const isFetch = error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';
  if (isFetch || !(error instanceof errors.JOSEError)) throw error;
  throw new OAuthError(OAuthErrorCode.InvalidToken, 'the access token is not good here');
}
