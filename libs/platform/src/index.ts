export { BatchedRead, ReadBatch } from './database/batched-read.js';
export {
  createDataSource,
  type DatabaseUrl,
  migrate,
  NotMigratedError,
  openMigrated,
  readMigrations,
} from './database/migrate.data-source.js';
export {
  isDatabaseOutage,
  isUniqueViolation,
  OutageLog,
  type RefusedWrite,
  refusedWrite,
} from './outage.js';
export { databaseMigrations } from './database/migrations/database-migrations.js';
export {
  type ListPage,
  pageOf,
  type PageRequest,
  readNewestFirst,
  unknownPage,
} from './database/page.js';
export { postgresOptions } from './database/postgres/postgres.data-source.js';
export {
  type Dialect,
  guardedChanges,
  type GuardedWrite,
  PreparedStatement,
  preparedStatements,
  readDatabaseClock,
  type SqlTarget,
  type SqlValues,
} from './database/prepared-statement.js';
export {
  closeRedis,
  FAIL_FAST,
  openRedis,
  parseSentinelUrl,
  placeOf,
  redisAt,
  sentinelFailure,
  REDIS_BEAT_MS,
  RedisHeartbeat,
  subscriberOf,
} from './database/redis/redis.client.js';
export { RedisChannel } from './database/redis/redis-channel.js';
export { isRedisOutage } from './database/redis/redis-outage.js';
export { RedisModule } from './database/redis/redis.module.js';
export { column, type Row } from './database/row.js';
export {
  getServiceKey,
  isSameSecret,
  ServiceKeyEntity,
  ServiceMac,
} from './database/service-keys.js';
export {
  type SqliteClaim,
  claimSqliteFile,
  READS_MUCH,
  readSqliteFile,
} from './database/sqlite/sqlite.connection.js';
export {
  expiredRows,
  type Sweep,
  SweeperModule,
  SweeperService,
} from './database/sweeper.service.js';
export { wholeNumber } from './database/typeorm.defaults.js';
export { Intervals } from './intervals.js';
export {
  canonicalJson,
  countJson,
  epochSeconds,
  isJsonObject,
  isLongerOrDeeper,
  isNestedDeeper,
  type JsonObject,
  parseJson,
} from './json.js';
export {
  AccountTurns,
  AccountTurnsModule,
  refusedLater,
  SHORT_WAIT_MS,
  type TurnHolder,
} from './limits/account-turns.js';
export { HeldBytes, largeHeadBytes } from './limits/held-bytes.js';
export { LoadShedder } from './limits/load-shedder.js';
export {
  type FixedWindow,
  InProcessRateLimiter,
  type RateLimiter,
  roomAsNeeded,
} from './limits/rate-limiter.js';
export { RedisRateLimiter } from './limits/rate-limiter.redis.js';
export { Semaphore, timeLimit } from './limits/semaphore.js';
export { type Flow, TokenBucket, TokenBuckets } from './limits/token-bucket.js';
export {
  currentWork,
  onExchangeEnd,
  outsideOfRequests,
  requestAccount,
  RequestLocal,
  RequestMember,
  RequestWork,
  underWork,
  whileWaiting,
} from './request-context.js';
export { Throttle } from './limits/throttle.js';
export { defineModule } from './module-definition.js';
export {
  dialectOf,
  memberOf,
  mismatchIn,
  mismatchText,
  NO_DIALECT,
  quoted,
  type SchemaDialect,
  shortList,
} from './schemas/json-schema.js';
export { placesIn } from './schemas/schema-places.js';
export { SchemaChecks, SchemaChecksModule } from './schemas/schema-checks.service.js';
export {
  type Attributes,
  type Span,
  type SpanDescription,
  currentRequestId,
  currentTraceId,
  hasTracerProvider,
  httpSpan,
  inSpan,
  readTraceparent,
  traceHeaders,
  traceIdOf,
  underRequest,
  untraced,
} from './trace.js';
export { lostSpans } from './trace-copies.js';
export { listenToStatements } from './database/statement-listeners.js';
