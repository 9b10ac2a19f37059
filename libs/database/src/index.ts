export { BatchedRead } from './batched-read.sql.js';
export { createDataSource, type DatabaseUrl } from './create.data-source.js';
export { readDatabaseClock } from './database-clock.sql.js';
export { isDatabaseOutage } from './database-outage.js';
export { migrate } from './migrate.data-source.js';
export { NotMigratedError, openMigrated } from './migrated.data-source.js';
export { databaseMigrations } from './migrations/database-migrations.js';
export { readNewestFirst } from './newest-first.sql.js';
export { type Page, pageOf, type PageRequest, UnknownPageError } from './page.js';
export { postgresOptions } from './postgres/postgres.options.js';
export {
  changesOf,
  type DependentSql,
  type Dialect,
  PreparedStatement,
  preparedStatements,
} from './prepared-statement.sql.js';
export { OutageLog } from './outage-log.js';
export { ReadBatch } from './read-batch.js';
export { type RefusedWrite, refusedWrite } from './refused-write.js';
export { listenToCommands } from './redis/redis.client.js';
export { isRedisOutage } from './redis/redis-outage.js';
export {
  closeRedis,
  FAIL_FAST,
  openRedis,
  redisAt,
  type RedisLocation,
} from './redis/redis.connection.js';
export { parseSentinelUrl, placeOf } from './redis/redis-url.js';
export { sentinelFailure } from './redis/sentinel-failure.js';
export { keepHeartbeat } from './redis/redis.heartbeat.js';
export { RedisModule } from './redis/redis.module.js';
export { ServiceKeyEntity } from './service-keys/service-key.entity.js';
export { getServiceKey } from './service-keys/service-keys.sql.js';
export { claimSqliteFile, type SqliteClaim } from './sqlite/sqlite.claim.js';
export { listenToStatements } from './statement-listeners.js';
export { SweeperModule } from './sweeper.module.js';
export { expiredRows, type Sweep, SweeperService } from './sweeper.service.js';
export { isUniqueViolation } from './unique-violation.js';
export { wholeNumber } from './whole-number.js';
