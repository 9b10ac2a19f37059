export { BatchedRead } from './database/batched-read.sql.js';
export { type DatabaseUrl, createDataSource } from './database/create.data-source.js';
export { readDatabaseClock } from './database/database-clock.sql.js';
export { isDatabaseOutage } from './database/database-outage.js';
export { migrate } from './database/migrate.data-source.js';
export { NotMigratedError, openMigrated } from './database/migrated.data-source.js';
export { databaseMigrations } from './database/migrations/database-migrations.js';
export { readNewestFirst } from './database/newest-first.sql.js';
export { OutageLog } from './database/outage-log.js';
export { type Page, type PageRequest, UnknownPageError, pageOf } from './database/page.js';
export { postgresOptions } from './database/postgres/postgres.options.js';
export {
  type DependentSql,
  type Dialect,
  PreparedStatement,
  changesOf,
  preparedStatements,
} from './database/prepared-statement.sql.js';
export { ReadBatch } from './database/read-batch.js';
export { isRedisOutage } from './database/redis/redis-outage.js';
export { parseSentinelUrl, placeOf } from './database/redis/redis-url.js';
export { listenToCommands } from './database/redis/redis.client.js';
export {
  FAIL_FAST,
  type RedisLocation,
  closeRedis,
  openRedis,
  redisAt,
} from './database/redis/redis.connection.js';
export { keepHeartbeat } from './database/redis/redis.heartbeat.js';
export { RedisModule } from './database/redis/redis.module.js';
export { sentinelFailure } from './database/redis/sentinel-failure.js';
export { type RefusedWrite, refusedWrite } from './database/refused-write.js';
export { ServiceKeyEntity } from './database/service-keys/service-key.entity.js';
export { getServiceKey } from './database/service-keys/service-keys.sql.js';
export { type SqliteClaim, claimSqliteFile } from './database/sqlite/sqlite.claim.js';
export { listenToStatements } from './database/statement-listeners.js';
export { SweeperModule } from './database/sweeper.module.js';
export { type Sweep, SweeperService, expiredRows } from './database/sweeper.service.js';
export { isUniqueViolation } from './database/unique-violation.js';
export { wholeNumber } from './database/whole-number.js';
export { canonicalJson } from './json/canonical-json.js';
export { type JsonCounts, countJson } from './json/count-json.js';
export { type JsonObject, isJsonObject } from './json/json-object.js';
export { isNestedDeeper } from './json/nesting.js';
export { parseJson } from './json/parse-json.js';
export { AccountTurns } from './limits/account-turns.js';
export { AccountTurnsModule } from './limits/account-turns.module.js';
export { HeldBytes } from './limits/held-bytes.js';
export { LoadShedder } from './limits/load-shedder.js';
export { LoopLag } from './limits/loop-lag.js';
export { InProcessRateLimiter } from './limits/rate-limiter.in-process.js';
export type { FixedWindow, RateLimiter } from './limits/rate-limiter.js';
export { RedisRateLimiter } from './limits/rate-limiter.redis.js';
export { roomAsNeeded } from './limits/room-as-needed.js';
export { Semaphore } from './limits/semaphore.js';
export { type Flow, TokenBucket, TokenBuckets } from './limits/token-bucket.js';
export { onExchangeEnd } from './load/exchange-end.js';
export { Paced } from './load/paced.js';
export { RequestLocal } from './load/request-local.js';
export { RequestMember } from './load/request-member.js';
export { RequestWork, underWork, whileWaiting } from './load/request-work.js';
export { defineModule } from './module-definition/module-definition.builder.js';
export { NO_DIALECT, type SchemaDialect, dialectOf } from './schemas/dialects.js';
export { misfitIn } from './schemas/misfit-in.js';
export { misfitText } from './schemas/misfit-text.js';
export { SchemaChecksModule } from './schemas/schema-checks.module.js';
export { SchemaChecks } from './schemas/schema-checks.service.js';
export { shortList } from './schemas/short-text.js';
export {
  type Attributes,
  type Span,
  type SpanDescription,
  currentRequestId,
  currentTraceId,
  followInSpan,
  hasTracerProvider,
  httpSpan,
  inSpan,
  readTraceparent,
  traceHeaders,
  traceIdOf,
  underRequest,
  untraced,
} from './trace/trace.js';
