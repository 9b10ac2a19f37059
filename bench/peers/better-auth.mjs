// better-auth with its plugins for passkeys and for OAuth: everything in node:sqlite, or in Postgres with sessions also
// in Redis, where they are read.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { oauthProvider } from '@better-auth/oauth-provider';
import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const { PORT, POSTGRES_URL, REDIS_URL, SQLITE_FILE } = process.env;

const inPostgresAndRedis = () => {
  const redis = new Redis(REDIS_URL);
  return {
    database: new Pool({ connectionString: POSTGRES_URL }),
    secondaryStorage: {
      get: (key) => redis.get(key),
      set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
      delete: (key) => redis.del(key),
      getAndDelete: (key) => redis.getdel(key),
    },
  };
};

const inSqlite = () => {
  const database = new DatabaseSync(SQLITE_FILE);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return { database };
};

const ORIGIN = `http://localhost:${PORT}`;
const RESOURCE = `${ORIGIN}/api`;
const SCOPES = ['account:read', 'offline_access'];

const options = {
  baseURL: ORIGIN,
  secret: 'a-secret-of-a-bench-that-is-long-enough',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  session: { storeSessionInDatabase: true },
  plugins: [
    // As its plugin for OAuth wants it: otherwise each look-up of a session signs a JWT.
    jwt({ disableSettingJwtHeader: true }),
    passkey(),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      scopes: SCOPES,
      resources: [RESOURCE],
      clientCredentialGrantDefaultScopes: ['account:read'],
      clientPrivileges: () => true,
      enforcePerClientResources: false,
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
  ...(POSTGRES_URL ? inPostgresAndRedis() : inSqlite()),
};

await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const handle = toNodeHandler(auth);

/** Clients as an administrator, who is signed in, makes them; people are not asked for consent. */
async function createClients({ cookie }) {
  const headers = new Headers({ cookie });
  const createClient = (body) => auth.api.adminCreateOAuthClient({ body, headers });
  const redirect_uris = ['http://127.0.0.1:5555/cb'];
  const code = { redirect_uris, scope: SCOPES.join(' '), skip_consent: true };
  const app = {
    ...code,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  const machine = {
    scope: 'account:read',
    client_credentials_scopes: ['account:read'],
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  };
  const server = {
    ...code,
    redirect_uris: ['https://server.example.org/cb'],
    token_endpoint_auth_method: 'client_secret_basic',
  };
  const made = Object.entries({ app, machine, server }).map(async ([name, body]) => [
    name,
    await createClient(body),
  ]);
  return Object.fromEntries(await Promise.all(made));
}

createServer(async (request, response) => {
  if (request.url === '/') response.end();
  else if (request.url === '/clients')
    response.end(JSON.stringify(await createClients(request.headers)));
  else handle(request, response);
}).listen(Number(PORT), '127.0.0.1');
