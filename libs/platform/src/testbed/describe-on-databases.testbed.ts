import type { DataSource } from 'typeorm';
import { type DatabaseUrl, createDataSource } from '../database/migrate.data-source.js';
import { describeWithPostgres } from './describe-with.testbed.js';
import { postgresForTests } from './postgres-for-tests.testbed.js';
import { sqliteForTests } from './sqlite-for-tests.testbed.js';

/** Parallel calls share few connections, so on a busy machine they wait for long. */
const CONNECT_MS = 30_000;

type Schema = Parameters<typeof createDataSource>[1];

/** Two data sources on one empty database, like two replicas. */
type Replicas = readonly [DataSource, DataSource];

type Open = () => Promise<{ readonly database: DatabaseUrl; dispose(): Promise<void> }>;

/** The body of a suite. */
export type OnReplicas = (replicas: () => Replicas) => void;

/** Runs a suite on SQLite and, where it is installed, on Postgres. */
export function describeOnDatabases(title: string, schema: Schema, body: OnReplicas) {
  describe(`${title} on SQLite`, () => on(sqlite, schema, body));
  describeOnPostgres(title, schema, body);
}

export function describeOnPostgres(title: string, schema: Schema, body: OnReplicas) {
  describeWithPostgres(`${title} on Postgres`, () => on(postgres, schema, body));
}

function on(open: Open, schema: Schema, body: OnReplicas) {
  let opened: Awaited<ReturnType<Open>>;
  let replicas: Replicas;

  beforeAll(async () => {
    opened = await open();
    const connect = () => createDataSource(opened.database, schema, CONNECT_MS).initialize();
    replicas = [await connect(), await connect()];
    await replicas[0].runMigrations();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((dataSource) => dataSource.destroy()));
    await opened.dispose();
  });

  body(() => replicas);
}

const sqlite: Open = async () => {
  const { path, dispose } = await sqliteForTests();
  return { database: { type: 'sqlite', path }, dispose };
};

const postgres: Open = async () => {
  const { url, dispose } = await postgresForTests();
  return { database: { type: 'postgres', url }, dispose };
};
