import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTests } from './postgres-for-tests.js';
import { redisForTests } from './redis-for-tests.js';

/** SQLite alone, SQLite and Redis, or Postgres and Redis. */
export type StorageVariant = 'embedded' | 'redis' | 'postgres';

declare global {
  /** Set by the jest project that runs the spec; absent in unit specs. */
  var STORAGE: StorageVariant | undefined;
}

export interface TestStorage {
  readonly environment: { readonly DATABASE_URL: string; readonly REDIS_URL?: string };
  /** To be called when the servers that use it are closed. */
  dispose(): Promise<void>;
}

/** An answer that a busy machine delays is no outage, as it would be after 0.3 s. ioredis reads the query. */
const PATIENT = 'commandTimeout=10000';

/** Empty storage of the kind that the running e2e project is about, as a server's environment. */
export async function storageForTests(
  variant: StorageVariant = globalThis.STORAGE ?? 'embedded',
): Promise<TestStorage> {
  const database = await (variant === 'postgres' ? postgresForTests() : sqliteForTests());
  if (variant === 'embedded') {
    return { environment: { DATABASE_URL: database.url }, dispose: database.dispose };
  }
  const redis = await redisForTests();
  return {
    environment: { DATABASE_URL: database.url, REDIS_URL: `${redis.url}?${PATIENT}` },
    dispose: async () => void (await Promise.all([database.dispose(), redis.dispose()])),
  };
}

/** A path for a new SQLite file in a folder of its own. */
export async function sqliteForTests() {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  const path = join(folder, 'test.sqlite');
  return {
    path,
    url: `sqlite:${path}`,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
