// oidc-provider with the least of configuration: what the library that the service stands on takes for a token.
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { Adapter } from './oidc-adapter.mjs';

const { PORT } = process.env;
const ORIGIN = `http://localhost:${PORT}`;
const SCOPE = 'account:read';
const REDIRECT_URI = 'http://127.0.0.1:5555/cb';
/** By the resource of a token: the one that has opaque tokens, and the one that has JWTs. */
const FORMATS = { [`${ORIGIN}/opaque`]: 'opaque', [`${ORIGIN}/jwt`]: 'jwt' };

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const provider = new Provider(ORIGIN, {
  adapter: Adapter,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
  scopes: [SCOPE],
  routes: { token: '/svc/oauth/token', introspection: '/svc/introspect' },
  issueRefreshToken: () => true,
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: SCOPE,
        accessTokenFormat: FORMATS[resource],
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

const clients = new Adapter('Client');
await clients.upsert('bench', {
  client_id: 'bench',
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  id_token_signed_response_alg: 'ES256',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
});
await clients.upsert('machine', {
  client_id: 'machine',
  client_secret: 'a secret of the bench',
  id_token_signed_response_alg: 'ES256',
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
});
const client = await provider.Client.find('bench');

/** A code as a consent gives it. */
async function makeCode(codeChallenge) {
  const grant = new provider.Grant({ accountId: 'ann', clientId: 'bench' });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const bound = { codeChallenge, codeChallengeMethod: 'S256', redirectUri: REDIRECT_URI };
  const code = { accountId: 'ann', client, grantId, scope: SCOPE, ...bound };
  return new provider.AuthorizationCode(code).save();
}

const handle = provider.callback();
createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/') return response.end();
  if (pathname === '/code') return response.end(await makeCode(searchParams.get('challenge')));
  return handle(request, response);
}).listen(Number(PORT), '127.0.0.1');
