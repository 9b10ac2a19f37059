export { unprivilegedAccount } from './testbed/account.testbed.js';
export { type Certificate, selfSignedCertificate } from './testbed/certificate.testbed.js';
export {
  advanceClock,
  advanceMonotonicClock,
  fakeDate,
  fakeIntervals,
  restoreClock,
} from './testbed/clock.testbed.js';
export {
  describeOnDatabases,
  describeOnPostgres,
  type OnReplicas,
} from './testbed/describe-on-databases.testbed.js';
export { describeOnRedis } from './testbed/describe-on-redis.testbed.js';
export {
  describeWith,
  describeWithPostgres,
  describeWithRedis,
} from './testbed/describe-with.testbed.js';
export { eventually, PATIENCE_MS } from './testbed/eventually.testbed.js';
export { collectGarbage, liveHeapBytes } from './testbed/heap.testbed.js';
export {
  findChromium,
  findNginx,
  findPgBouncer,
  findProgram,
  findRedisServer,
} from './testbed/installed.testbed.js';
export { postgresForTests, type TestPostgres } from './testbed/postgres-for-tests.testbed.js';
export { type PostgresServer, startPostgresServer } from './testbed/postgres-server.testbed.js';
export {
  dyingWithParent,
  findFreePort,
  onFreePort,
  type Program,
  startProgram,
} from './testbed/program.testbed.js';
export { redisForTests, type TestRedis } from './testbed/redis-for-tests.testbed.js';
export { type RedisServer, startRedisServer } from './testbed/redis-server.testbed.js';
export { sqliteForTests } from './testbed/sqlite-for-tests.testbed.js';
