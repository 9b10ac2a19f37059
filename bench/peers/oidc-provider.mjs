// oidc-provider with its store in memory and the least of configuration: what the library alone takes for a token.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { PORT } = process.env;
const SCOPE = 'account:read';
const REDIRECT_URI = 'http://127.0.0.1:5555/cb';

/** The library's own store in memory has room for 1,000 entries, too few for what is under way here. */
const ROOM = 20_000;
const entries = new Map();

class InMemory {
  #key;

  constructor(model) {
    this.#key = (id) => `${model}:${id}`;
  }

  async upsert(id, payload) {
    entries.set(this.#key(id), payload);
    if (entries.size > ROOM) entries.delete(entries.keys().next().value);
  }

  /** What is in use stays: it becomes the youngest. */
  async find(id) {
    const found = entries.get(this.#key(id));
    entries.delete(this.#key(id));
    if (found) entries.set(this.#key(id), found);
    return found;
  }

  async consume(id) {
    entries.get(this.#key(id)).consumed = Math.floor(Date.now() / 1_000);
  }

  destroy = async (id) => void entries.delete(this.#key(id));

  revokeByGrantId = async () => undefined;
}

const provider = new Provider(`http://localhost:${PORT}`, {
  adapter: InMemory,
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  scopes: [SCOPE],
  routes: { token: '/svc/oauth/token' },
  issueRefreshToken: () => true,
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
