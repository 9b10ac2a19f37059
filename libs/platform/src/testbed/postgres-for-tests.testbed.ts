import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of the shared test Postgres that no other test uses. */
export interface TestPostgres {
  readonly url: string;
  /** Drops the database and closes the connections to it. */
  dispose(): Promise<void>;
}

/** Creates an empty database. */
export async function postgresForTests(): Promise<TestPostgres> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await run(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(sharedUrl());
  url.pathname = `/${name}`;
  return { url: url.href, dispose: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function run(statement: string) {
  const client = new Client({ connectionString: sharedUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function sharedUrl() {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('no Postgres for tests: use describeWithPostgres');
  return url;
}
