import { postgresForTests, redisForTests, sqliteForTests } from '#libs/platform/testing';

export { sqliteForTests };

/** SQLite alone, SQLite and Redis, or Postgres and Redis. */
export type StorageVariant = 'embedded' | 'redis' | 'postgres';

declare global {
  /** Set by the jest project that runs the spec; undefined in unit specs. */
  var STORAGE: StorageVariant | undefined;
}

export interface TestStorage {
  readonly environment: { readonly DATABASE_URL: string; readonly REDIS_URL?: string };
  /** Call this when the servers that use the storage are closed. */
  dispose(): Promise<void>;
}

/**
 * A longer timeout than the service's 0.3 s, so that an answer delayed by a busy machine does not count as an outage.
 * ioredis reads the query.
 */
const PATIENT = 'commandTimeout=10000';

/** Empty storage for the current e2e project, as environment variables of a server. */
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
