import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { closeRedis, isRedisOutage, openRedis } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  type RedisServer,
  startRedisServer,
} from '../../../../test/support/services/redis-server.js';
import { RedisTabBus } from './tab-bus.redis.js';

describeWithRedis('RedisTabBus in an outage', () => {
  let server: RedisServer;
  let redis: Redis;
  let bus: RedisTabBus;
  let lost: number;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    const keep = (line: string, context: string) => {
      if (context === 'TabBus') lines.push(line);
    };
    Logger.overrideLogger({ log: keep, warn: keep, error: keep });
    server = await startRedisServer();
    redis = await openRedis({ url: server.url }, 5_000);
    bus = new RedisTabBus(redis);
    lost = 0;
    bus.onLost(() => void lost++);
    await bus.subscribe('ada', () => {});
  });
  afterEach(async () => {
    await bus.onApplicationShutdown();
    await closeRedis(redis);
    await server.stop();
    Logger.overrideLogger(true);
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const isOut = async () => {
    const errors = await Promise.all([
      failure(bus.subscribe('bob', () => {})),
      failure(bus.publish('ada', { kind: 'tabs' })),
    ]);
    expect(errors.map(isRedisOutage)).toEqual([true, true]);
  };
  const works = async () => {
    let received = 0;
    const end = await eventually(() => bus.subscribe('bob', () => void received++));
    await eventually(async () => expect(await bus.publish('bob', { kind: 'tabs' })).toBe(1));
    await eventually(() => expect(received).toBe(1));
    await end();
    await expect(bus.publish('bob', { kind: 'tabs' })).resolves.toBe(0);
    await expect(bus.publish('ada', { kind: 'tabs' })).resolves.toBe(0);
  };
  const lossesSaid = () => ({ lost, lines });
  const once = {
    lost: 1,
    lines: [expect.stringMatching(/^does not hear Redis: /), 'hears Redis again'],
  };

  it('notices a Redis that is gone, and works when it is back', async () => {
    await server.stop();
    await eventually(() => expect(lost).toBe(1));
    await isOut();
    server = await startRedisServer(server.port);
    await works();
    expect(lossesSaid()).toEqual(once);
  });

  it('notices a frozen Redis within seconds, and works when it is back', async () => {
    server.freeze();
    await isOut();
    await eventually(() => expect(lost).toBe(1), 6_000);
    await isOut();
    server.thaw();
    await works();
    expect(lossesSaid()).toEqual(once);
  });

  it('takes back a subscription that was not answered in time', async () => {
    server.freeze();
    await isOut();
    server.thaw();
    await eventually(async () => expect(await bus.publish('bob', { kind: 'tabs' })).toBe(0));
    await expect(bus.publish('ada', { kind: 'tabs' })).resolves.toBe(1);
    expect(lost).toBe(0);
  });

  it('closes without a word when Redis is frozen', async () => {
    server.freeze();
    await bus.onApplicationShutdown();
    await isOut();
    expect(lossesSaid()).toEqual({ lost: 0, lines: [] });
  });

  it('closes when Redis is gone', async () => {
    await server.stop();
    await eventually(() => expect(lost).toBe(1));
    await bus.onApplicationShutdown();
    await isOut();
    expect(lost).toBe(1);
  });

  it('starts without Redis, and works when it is there', async () => {
    await server.stop();
    const late = new RedisTabBus(redis);
    expect(isRedisOutage(await failure(late.subscribe('ada', () => {})))).toBe(true);
    server = await startRedisServer(server.port);
    const end = await eventually(() => late.subscribe('ada', () => {}));
    await eventually(async () => expect(await late.publish('ada', { kind: 'tabs' })).toBe(1));
    await end();
    await late.onApplicationShutdown();
  });
});
