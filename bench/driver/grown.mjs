// A database as it is when the service has many accounts, written by SQL: each account has a passkey, a session, an app
// with both tokens, and ten rows of the trail; there is a registered client for ten accounts.
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

export const ROWS_OF_THE_TRAIL = 10;
const BATCH = 50_000;
const DAY_MS = 86_400_000;
const TYPES = ['tool-called', 'token-refreshed', 'sign-in', 'code-exchanged', 'passkey-added'];

/** Text of 16 hexadecimal digits in no order, different for every `n` below 2³². */
const DIALECTS = {
  sqlite: {
    scattered: (n) => `printf('%08x%08x', (${n} * 2654435761) & 4294967295, ${n})`,
    hex: (n, digits) => `printf('%0${digits}x', ${n})`,
    numbers: (from, to) =>
      `(WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to})
        SELECT n FROM s)`,
    isFalse: '0',
  },
  postgres: {
    scattered: (n) =>
      `lpad(to_hex((${n}::bigint * 2654435761) & 4294967295), 8, '0') || lpad(to_hex(${n}), 8, '0')`,
    hex: (n, digits) => `lpad(to_hex(${n}), ${digits}, '0')`,
    numbers: (from, to) =>
      `(SELECT n FROM generate_series(${from}::bigint, ${to}::bigint) AS s(n))`,
    isFalse: 'false',
  },
};

/** `INSERT`s for the accounts from `from` to `to`. */
function insertsFor({ scattered, hex, numbers, isFalse }, { from, to, origin, now }) {
  const id = scattered('n');
  const rows = (of) => `FROM ${numbers(from * of, to * of + of - 1)} AS numbers`;
  const year = now + 365 * DAY_MS;
  const payload = (scope) => `{"aud":"${origin}/svc/mcp","scope":"${scope}"}`;
  const token = (kind) => `'${kind}' || ${id}`;
  const owner = scattered(`n / ${ROWS_OF_THE_TRAIL}`);
  const at = `${now - 170 * DAY_MS} + (n * 7919) % ${170 * DAY_MS}`;
  const type = `CASE n % ${TYPES.length} ${TYPES.map((name, k) => `WHEN ${k} THEN '${name}'`).join(' ')} END`;
  return [
    `INSERT INTO users (id, display_name, created_at) SELECT ${id}, 'Ann', ${now} - n ${rows(1)}`,
    `INSERT INTO credentials (id, user_id, rp_id, public_key, sign_count, transports, backup_eligible, created_at)
     SELECT 'c' || ${id}, ${id}, 'localhost', 'pQECAyYgASFYIA', 0, '["internal"]', ${isFalse}, ${now} - n ${rows(1)}`,
    `INSERT INTO sessions (token_hash, user_id, origin, created_at, last_seen_at, expires_at)
     SELECT ${token('s')}, ${id}, '${origin}', ${now}, ${now}, ${year} ${rows(1)}`,
    `INSERT INTO oauth_grants (id, user_id, client_id, origin, scope, app, created_at, last_used_at, expires_at,
       sweep_due_at, family_hash)
     SELECT 'g' || ${id}, ${id}, 'r' || ${scattered('n / 10')}, '${origin}', 'account:read', 'App', ${now} - n,
       ${now} - n, ${year}, ${year}, 'f' || ${id} ${rows(1)}`,
    ...['AccessToken', 'RefreshToken'].map(
      (
        kind,
      ) => `INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
     SELECT ${token(kind[0])}, '${kind}', 'g' || ${id}, 0, '${payload('account:read')}', ${now}, ${year} ${rows(1)}`,
    ),
    `INSERT INTO oauth_clients (id, metadata, created_at, last_used_at, expires_at, granted_at, stored_bytes)
     SELECT 'r' || ${scattered('n / 10')}, '{"client_id":"c","client_name":"App","redirect_uris":[]}', ${now} - n,
       ${now}, ${year}, ${now}, 1100 ${rows(1)} WHERE n % 10 = 0`,
    `INSERT INTO audit_events (id, at, type, user_id, client_id, grant_id, origin, expires_at)
     SELECT ${hex(at, 12)} || '-' || ${hex('n', 12)}, ${at}, ${type}, ${owner},
       'r' || ${scattered(`n / ${10 * ROWS_OF_THE_TRAIL}`)}, 'g' || ${owner}, '${origin}', ${year}
     ${rows(ROWS_OF_THE_TRAIL)}`,
  ];
}

/** Writes `accounts` to a database that the service has migrated, and has its statistics made. */
export async function grow(urls, accounts) {
  const database = await opened(urls.DATABASE_URL);
  const about = { origin: 'http://localhost', now: Date.now() };
  for (let from = 0; from < accounts; from += BATCH) {
    const to = Math.min(from + BATCH, accounts) - 1;
    for (const text of insertsFor(DIALECTS[database.type], { ...about, from, to })) {
      await database.run(text);
    }
  }
  for (const text of database.atLast) await database.run(text);
  await database.close();
}

/** Sessions that expired long ago, of the first accounts. */
export async function addExpiredSessions(urls, count) {
  const database = await opened(urls.DATABASE_URL);
  const { scattered, numbers } = DIALECTS[database.type];
  const id = scattered('n');
  await database.run(
    `INSERT INTO sessions (token_hash, user_id, origin, created_at, last_seen_at, expires_at)
     SELECT 'x' || ${id}, ${id}, 'http://localhost', 0, 0, 1 FROM ${numbers(0, count - 1)} AS numbers`,
  );
  await database.close();
}

/** Whether one of them is left. */
export async function hasExpiredSessions(urls) {
  const database = await opened(urls.DATABASE_URL);
  const found = await database.read('SELECT 1 FROM sessions WHERE expires_at < 2 LIMIT 1');
  await database.close();
  return found;
}

async function opened(url) {
  if (url.startsWith('sqlite:')) {
    const file = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 });
    file.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; PRAGMA foreign_keys = OFF');
    const atLast = ['ANALYZE', 'PRAGMA wal_checkpoint(TRUNCATE)'];
    const run = (text) => file.exec(text);
    const read = (text) => file.prepare(text).get() !== undefined;
    return { type: 'sqlite', run, read, atLast, close: () => file.close() };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET synchronous_commit = off; SET session_replication_role = replica');
  return {
    type: 'postgres',
    run: (text) => client.query(text),
    read: async (text) => (await client.query(text)).rowCount > 0,
    atLast: ['VACUUM ANALYZE', 'CHECKPOINT'],
    close: () => client.end(),
  };
}
