import { Redis } from 'ioredis';
import { describeWithRedis } from './describe-with.testbed.js';
import { redisForTests, type TestRedis } from './redis-for-tests.testbed.js';

/** Two connections to one empty logical database, like two replicas. */
type Connections = readonly [Redis, Redis];

/** Runs a suite on Redis, where it is installed. */
export function describeOnRedis(title: string, body: (connections: () => Connections) => void) {
  describeWithRedis(title, () => {
    let database: TestRedis;
    let connections: Connections;

    beforeAll(async () => {
      database = await redisForTests();
      connections = [new Redis(database.url), new Redis(database.url)];
    });
    afterAll(async () => {
      for (const redis of connections) redis.disconnect();
      await database.dispose();
    });

    body(() => connections);
  });
}
