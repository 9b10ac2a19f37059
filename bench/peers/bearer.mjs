// The bearer check of the MCP samples: a token is looked up by its hash at every call, with its user and its end.
import { createHash, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';

const { POSTGRES_URL, SQLITE_FILE } = process.env;
const TABLE =
  'CREATE TABLE tokens (hash text PRIMARY KEY, user_name text NOT NULL, expires_at bigint NOT NULL)';
const ADD = 'INSERT INTO tokens VALUES ($1, $2, $3)';
const FIND = 'SELECT user_name, expires_at FROM tokens WHERE hash = $1';
const HOUR_MS = 3_600_000;

const hashOf = (token) => createHash('sha256').update(token).digest('base64url');

const inSqlite = () => {
  const database = new DatabaseSync(SQLITE_FILE);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(TABLE);
  const [add, find] = [ADD, FIND].map((text) => database.prepare(text.replaceAll('$', '?')));
  return { add: (...row) => add.run(...row), find: (hash) => find.get(hash) };
};

const inPostgres = async () => {
  const pool = new Pool({ connectionString: POSTGRES_URL });
  await pool.query(TABLE);
  return {
    add: (...row) => pool.query(ADD, row),
    find: async (hash) =>
      (await pool.query({ name: 'find', text: FIND, values: [hash] })).rows.at(0),
  };
};

const stored = POSTGRES_URL ? await inPostgres() : inSqlite();

/** A token of Ann. */
async function newToken() {
  const token = randomBytes(32).toString('base64url');
  await stored.add(hashOf(token), 'Ann', Date.now() + HOUR_MS);
  return token;
}

/** For Express: 401 without a valid token; `/token` gives one. */
export async function requireBearer(request, response, next) {
  if (request.path === '/token') return response.end(await newToken());
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const found = token && (await stored.find(hashOf(token)));
  if (!found || Number(found.expires_at) < Date.now()) return response.status(401).end();
  request.user = found.user_name;
  return next();
}
