import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { RedisModule } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import { redisForTests } from '../../../../test/support/services/redis-for-tests.js';
import { RedisTabBus } from '../bus/tab-bus.redis.js';
import { TabBus } from '../bus/tab-bus.js';
import { newTab } from './tab-presence.contract.js';
import { RedisTabPresence } from './tab-presence.redis.js';
import { TabPresence } from './tab-presence.js';

@Module({
  providers: [
    { provide: TabBus, useFactory: (redis: Redis) => new RedisTabBus(redis), inject: [Redis] },
    {
      provide: TabPresence,
      useFactory: (redis: Redis, bus: TabBus) => new RedisTabPresence(redis, bus),
      inject: [Redis, TabBus],
    },
  ],
})
class PlainTabsModule {}

describeWithRedis('the tabs of an application', () => {
  it('leave nothing in Redis when it closes, no record and no connection', async () => {
    const database = await redisForTests();
    const redis = new Redis(database.url);
    const connections = async () => {
      const lines = String(await redis.client('LIST')).split('\n');
      return lines.filter((line) => line.includes(` db=${redis.options.db} `)).length;
    };
    const application = await Test.createTestingModule({
      imports: [PlainTabsModule, RedisModule.forRoot(database)],
    }).compile();
    await application.init();
    let lost = 0;
    application.get(TabBus).onLost(() => void lost++);
    application.get(TabPresence).onLost(() => void lost++);
    await application.get(TabBus).subscribe('ada', () => {});
    await application.get(TabPresence).add('ada', newTab());
    await expect(redis.dbsize()).resolves.toBe(4);
    // Of whoever had this database before some may not be gone yet.
    await eventually(async () => expect(await connections()).toBe(3));
    await application.close();
    await expect(redis.dbsize()).resolves.toBe(0);
    await eventually(async () => expect(await connections()).toBe(1));
    expect(lost).toBe(0);
    redis.disconnect();
    await database.dispose();
  });
});
