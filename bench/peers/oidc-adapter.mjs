// Adapters for oidc-provider, by the environment: Postgres, node:sqlite, else memory. As the examples of its repository
// have them: a row for each thing, in a table for each kind, with what the library keeps of it as JSON.
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';

const { POSTGRES_URL, SQLITE_FILE } = process.env;
const KINDS = ['AccessToken', 'AuthorizationCode', 'Client', 'ClientCredentials', 'Grant'];
const tableOf = (kind) => `oidc_${kind.toLowerCase()}`;

const CREATE = [...KINDS, 'RefreshToken'].flatMap((kind) => [
  `CREATE TABLE ${tableOf(kind)} (id text PRIMARY KEY, data text NOT NULL, grant_id text,
     expires_at bigint, consumed_at bigint)`,
  `CREATE INDEX ${tableOf(kind)}_grant ON ${tableOf(kind)} (grant_id)`,
]);
const STATEMENTS = {
  upsert: `INSERT INTO $table VALUES ($1, $2, $3, $4, NULL) ON CONFLICT (id)
    DO UPDATE SET data = $2, grant_id = $3, expires_at = $4`,
  find: 'SELECT data, expires_at, consumed_at FROM $table WHERE id = $1',
  consume: 'UPDATE $table SET consumed_at = $2 WHERE id = $1',
  destroy: 'DELETE FROM $table WHERE id = $1',
  revoke: 'DELETE FROM $table WHERE grant_id = $1',
};

const now = () => Math.floor(Date.now() / 1_000);

/** `run(kind, statement, values)` resolves with the rows. */
const storedBy = (run) =>
  class {
    #run;

    constructor(kind) {
      this.#run = (statement, ...values) => run(kind, statement, values);
    }

    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? now() + expiresIn : null;
      await this.#run('upsert', id, JSON.stringify(payload), payload.grantId ?? null, expiresAt);
    }

    async find(id) {
      const [row] = await this.#run('find', id);
      if (!row || (row.expires_at !== null && Number(row.expires_at) < now())) return undefined;
      const { consumed_at: consumed } = row;
      return { ...JSON.parse(row.data), ...(consumed && { consumed: Number(consumed) }) };
    }

    consume = async (id) => void (await this.#run('consume', id, now()));
    destroy = async (id) => void (await this.#run('destroy', id));
    revokeByGrantId = async (id) => void (await this.#run('revoke', id));
  };

async function inPostgres() {
  const pool = new Pool({ connectionString: POSTGRES_URL });
  for (const text of CREATE) await pool.query(text);
  return storedBy(async (kind, statement, values) => {
    const text = STATEMENTS[statement].replace('$table', tableOf(kind));
    return (await pool.query({ name: `${statement} ${kind}`, text, values })).rows;
  });
}

function inSqlite() {
  const database = new DatabaseSync(SQLITE_FILE);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const text of CREATE) database.exec(text);
  const prepared = new Map();
  return storedBy((kind, statement, values) => {
    const name = `${statement} ${kind}`;
    if (!prepared.has(name)) {
      const text = STATEMENTS[statement].replace('$table', tableOf(kind)).replaceAll('$', '?');
      prepared.set(name, database.prepare(text));
    }
    return prepared.get(name).all(...values);
  });
}

/** The library's own store in memory has room for 1,000 entries, too few for what is under way here. */
const ROOM = 20_000;
const entries = new Map();

class InMemory {
  #key;

  constructor(kind) {
    this.#key = (id) => `${kind}:${id}`;
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
    entries.get(this.#key(id)).consumed = now();
  }

  destroy = async (id) => void entries.delete(this.#key(id));

  revokeByGrantId = async () => undefined;
}

export const Adapter = POSTGRES_URL ? await inPostgres() : SQLITE_FILE ? inSqlite() : InMemory;
