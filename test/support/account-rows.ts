import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import type { Gatehouse } from './gatehouse.js';
import type { Service } from './service.js';

/** The tables that contain rows of the account, in alphabetical order. */
export async function tablesWithAccount({ app }: Service, userId: string): Promise<string[]> {
  const dataSource = app.get(DataSource);
  const runner = dataSource.createQueryRunner();
  const found: string[] = [];
  try {
    for (const { tableName, propertiesMap } of dataSource.entityMetadatas) {
      const column = tableName === 'users' ? 'id' : 'userId';
      // Nest's TypeOrmModule keeps the entities of an extension that another spec file loaded, but not their tables.
      if (propertiesMap[column] === undefined || !(await runner.hasTable(tableName))) continue;
      const count = await dataSource.manager.countBy(tableName, { [column]: userId });
      if (count > 0) found.push(tableName);
    }
  } finally {
    await runner.release();
  }
  return found.toSorted();
}

/** The keys that contain the account's id; empty without Redis. */
export async function redisKeysWithAccount(
  { storage }: Gatehouse,
  userId: string,
): Promise<string[]> {
  const url = storage.environment.REDIS_URL;
  if (url === undefined) return [];
  const redis = new Redis(url);
  try {
    return await redis.keys(`*${userId}*`);
  } finally {
    redis.disconnect();
  }
}
