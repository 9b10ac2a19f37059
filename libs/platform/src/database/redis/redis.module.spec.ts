import type { LoggerService } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import {
  describeWithRedis,
  eventually,
  findFreePort,
  type RedisServer,
  startRedisServer,
} from '../../testing.js';
import { isRedisOutage } from './redis-outage.js';
import { RedisModule } from './redis.module.js';

const failure = (command: Promise<unknown>) =>
  command.then(
    () => undefined,
    (error: unknown) => error,
  );

const answers = (redis: Redis) => eventually(async () => expect(await redis.ping()).toBe('PONG'));

describeWithRedis('RedisModule', () => {
  let server: RedisServer;
  let module: TestingModule | undefined;
  let lines: string[];

  beforeEach(async () => {
    server = await startRedisServer();
    lines = [];
  });
  afterEach(async () => {
    await module?.close();
    await server.stop();
    module = undefined;
  });

  async function start(url: string, startWaitMs?: number): Promise<Redis> {
    const keep = (line: string, context: string) => {
      if (context === 'Redis') lines.push(line);
    };
    const logger: LoggerService = { log: keep, warn: keep, error: keep };
    module = await Test.createTestingModule({
      imports: [RedisModule.forRoot({ url }, startWaitMs)],
    })
      .setLogger(logger)
      .compile();
    await module.init();
    return module.get(Redis);
  }

  it('is connected, under its name, when the application has started', async () => {
    const redis = await start(server.url);
    await expect(redis.ping()).resolves.toBe('PONG');
    await expect(redis.client('GETNAME')).resolves.toBe('gatehouse');
    expect(lines).toEqual([]);
  });

  it('fails commands as an outage while Redis is frozen, and recovers by itself', async () => {
    const redis = await start(server.url);
    server.freeze();
    expect(isRedisOutage(await failure(redis.get('key')))).toBe(true);
    server.thaw();
    await answers(redis);
  });

  it('recovers also after it gave the silent connection up', async () => {
    const redis = await start(server.url);
    server.freeze();
    await eventually(async () => {
      expect(isRedisOutage(await failure(redis.get('key')))).toBe(true);
      expect(redis.status).not.toBe('ready');
    });
    server.thaw();
    await answers(redis);
  });

  it('fails commands at once while Redis is gone, and recovers when it is back', async () => {
    const redis = await start(server.url);
    await redis.set('key', 'value');
    await server.stop();
    const errors = await Promise.all(Array.from({ length: 8 }, () => failure(redis.get('key'))));
    expect(errors.map(isRedisOutage)).toEqual(errors.map(() => true));
    expect(errors.map(String)).not.toContain('Error: Command timed out');
    server = await startRedisServer(server.port);
    await answers(redis);
    await expect(redis.get('key')).resolves.toBeNull();
  });

  it('says once that Redis went, and once that it is back', async () => {
    const redis = await start(server.url);
    let errors = 0;
    redis.on('error', () => errors++);
    await server.stop();
    await eventually(() => expect(errors).toBeGreaterThan(2));
    server = await startRedisServer(server.port);
    await answers(redis);
    const host = `Redis at 127.0.0.1:${server.port}`;
    expect(lines).toEqual([
      expect.stringContaining(`${host} is out of service: `),
      `${host} is back in service`,
    ]);
  });

  it('starts without Redis, says so, and connects when Redis is there', async () => {
    const port = await findFreePort();
    const redis = await start(`redis://127.0.0.1:${port}/3`, 1);
    expect(lines).toContain(`Redis at 127.0.0.1:${port} is not there: starting without it`);
    expect(isRedisOutage(await failure(redis.ping()))).toBe(true);
    await server.stop();
    server = await startRedisServer(port);
    await answers(redis);
    await expect(redis.client('INFO')).resolves.toContain(' db=3 ');
  });

  it('never logs the password', async () => {
    await start(server.url.replace('//', '//someone:s3cret@'), 200);
    await eventually(() => expect(lines).not.toEqual([]));
    expect(lines.join()).not.toContain('s3cret');
  });

  it.each(['running', 'frozen', 'gone'])('closes when Redis is %s', async (state) => {
    const redis = await start(server.url);
    if (state === 'frozen') server.freeze();
    if (state === 'gone') await server.stop();
    await module?.close();
    expect(isRedisOutage(await failure(redis.ping()))).toBe(true);
  });

  it('counts the refusals of a real Redis as an outage', async () => {
    const redis = await start(server.url);
    redis.options.reconnectOnError = null;
    const [host, port] = ['127.0.0.1', server.port] as const;
    const script = "return redis.call('SET', 'key', 'value')";
    const refused = async (...commands: (() => Promise<unknown>)[]) => {
      for (const command of commands) expect(isRedisOutage(await failure(command()))).toBe(true);
    };
    const write = () => redis.set('key', 'value');
    const runScript = () => redis.eval(script, 0);

    await redis.config('SET', 'maxmemory', '1');
    await refused(write, runScript);
    await redis.config('SET', 'maxmemory', '0');

    await redis.config('SET', 'min-replicas-to-write', '1');
    await refused(write, runScript);
    await redis.config('SET', 'min-replicas-to-write', '0');

    await redis.replicaof(host, port);
    await refused(write, runScript);
    await redis.config('SET', 'replica-serve-stale-data', 'no');
    await refused(() => redis.get('key'));
    await redis.replicaof('NO', 'ONE');
    await expect(write()).resolves.toBe('OK');
    expect(isRedisOutage(await failure(redis.incr('key')))).toBe(false);
  });
});
