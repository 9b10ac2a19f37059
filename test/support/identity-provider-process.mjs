// An identity provider for tests, in a process of its own. It shares no code with the service and signs with Node's
// crypto alone. Each tenant is an issuer, `https://localhost:<port>/<tenant>`, with its own keys.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:https';

const JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

let origin = '';
const tenants = new Map();

/** What may differ between tenants: see IdentityProvider.configure. */
function tenantOf(name) {
  const known = tenants.get(name);
  if (known) return known;
  const tenant = { keys: [newKey()], metadata: 'openid', answers: true, requests: [], more: {} };
  tenants.set(name, tenant);
  return tenant;
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' };
  return { kid, jwk, privateKey };
}

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT with this header and these claims, by the newest key of the tenant; `key` is another key in PEM. */
function signed(tenant, header, claims, key) {
  const newest = tenant.keys.at(-1);
  const input = `${part({ alg: 'ES256', kid: newest.kid, ...header })}.${part(claims)}`;
  const options = { key: key ?? newest.privateKey, dsaEncoding: 'ieee-p1363' };
  return `${input}.${sign('sha256', Buffer.from(input), options).toString('base64url')}`;
}

/** The claims that this provider puts into an assertion, five minutes long. */
function claimsOf(name, asked) {
  const now = Math.floor(Date.now() / 1000);
  const issuer = `${origin}/${name}`;
  return { iss: issuer, jti: randomUUID(), iat: now, exp: now + 300, ...asked };
}

/** RFC 8693 §2.1: an ID token (here the subject in plain text) for an assertion. */
function exchange(name, form) {
  const tenant = tenantOf(name);
  const isAsked =
    form.get('grant_type') === EXCHANGE &&
    form.get('requested_token_type') === JAG &&
    form.get('subject_token_type') === 'urn:ietf:params:oauth:token-type:id_token';
  if (!isAsked) return { status: 400, body: { error: 'invalid_request' } };
  const [sub, clientId] = form.get('subject_token').split(' for ');
  const scope = form.get('scope');
  const claims = claimsOf(name, {
    sub,
    aud: form.get('audience'),
    resource: form.get('resource'),
    client_id: clientId,
    ...(scope === null ? {} : { scope }),
  });
  const assertion = signed(tenant, { typ: 'oauth-id-jag+jwt' }, claims);
  const issued = { issued_token_type: JAG, access_token: assertion, token_type: 'N_A' };
  return { status: 200, body: { ...issued, expires_in: 300, ...(scope ? { scope } : {}) } };
}

function metadataOf(name) {
  const issuer = `${origin}/${name}`;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    grant_types_supported: [EXCHANGE],
    ...tenantOf(name).more,
  };
}

async function answer(request) {
  const { pathname } = new URL(request.url, origin);
  const [, openidName] = /^\/([\w-]+)\/\.well-known\/openid-configuration$/.exec(pathname) ?? [];
  const [, oauthName] =
    /^\/\.well-known\/oauth-authorization-server\/([\w-]+)$/.exec(pathname) ?? [];
  const [, ownName, what] = /^\/([\w-]+)\/(keys|token)$/.exec(pathname) ?? [];
  const name = openidName ?? oauthName ?? ownName;
  if (name === undefined) return { status: 404, body: {} };
  const tenant = tenantOf(name);
  tenant.requests.push(pathname);
  if (what === 'token') {
    let text = '';
    for await (const chunk of request) text += chunk;
    return exchange(name, new URLSearchParams(text));
  }
  if (!tenant.answers) return { status: 503, body: {} };
  if (what === 'keys') return { status: 200, body: { keys: tenant.keys.map(({ jwk }) => jwk) } };
  const kind = openidName === undefined ? 'oauth' : 'openid';
  if (tenant.metadata !== kind) return { status: 404, body: {} };
  return { status: 200, body: metadataOf(name) };
}

const COMMANDS = {
  listen: async ({ certificate, privateKey }) => {
    const server = createServer(
      { cert: certificate, key: privateKey },
      async (request, response) => {
        const { status, body } = await answer(request);
        response.writeHead(status, {
          'content-type': 'application/json',
          'cache-control': 'max-age=3600',
        });
        response.end(JSON.stringify(body));
      },
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `https://localhost:${server.address().port}`;
    return origin;
  },
  configure: ({ tenant, ...changes }) => void Object.assign(tenantOf(tenant), changes),
  rotate: ({ tenant }) => void tenantOf(tenant).keys.push(newKey()),
  keys: ({ tenant }) => tenantOf(tenant).keys.map(({ jwk }) => jwk),
  requests: ({ tenant }) => tenantOf(tenant).requests,
  assertion: ({ tenant, header, claims, key }) =>
    signed(tenantOf(tenant), { typ: 'oauth-id-jag+jwt', ...header }, claimsOf(tenant, claims), key),
};

process.on('message', async ({ id, command, input }) => {
  process.send({ id, output: await COMMANDS[command](input) });
});
process.on('disconnect', () => process.exit());
