import type { Redis } from 'ioredis';
import { describeWithRedis, redisForTests, type TestRedis } from '../../testing.js';
import {
  parseSentinelUrl,
  placeOf,
  reconnectWhenRefused,
  RedisClient,
  sentinelFailure,
} from './redis.client.js';

describe('what keeps Sentinels from telling an address', () => {
  it.each([
    [
      'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: connect ECONNREFUSED',
      'no Sentinel tells its address: connect ECONNREFUSED',
    ],
    [
      'All sentinels are unreachable and retry is disabled.',
      'no Sentinel tells its address: none knows that name',
    ],
    ['Connection is closed.', undefined],
  ])('%s is: %s', (message, words) => {
    expect(sentinelFailure(message)).toBe(words);
  });
});

describe('a connection is opened again', () => {
  const READONLY = "READONLY You can't write against a read only replica.";
  const OOM = "OOM command not allowed when used memory > 'maxmemory'.";

  /** At which of these seconds, with the reply in each of them. */
  const secondsOf = (message: string, seconds: number) => {
    let now = 0;
    const reconnects = reconnectWhenRefused(() => now);
    return Array.from({ length: seconds }, (_, n) => n).filter((n) => {
      now = n * 1_000;
      return reconnects(new Error(message));
    });
  };

  it.each([
    READONLY,
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    OOM,
    `ERR Error running script (call to f_0): @user_script:2: -${READONLY}`,
    `${READONLY} script: f0, on @user_script:1.`,
  ])('after %s', (message) => {
    expect(reconnectWhenRefused()(new Error(message))).toBe(true);
  });

  it.each(['NOSCRIPT No matching script.', 'ERR READONLY in the middle', 'OOMPH is no code'])(
    'not after %s',
    (message) => {
      expect(reconnectWhenRefused()(new Error(message))).toBe(false);
    },
  );

  it('every 5 seconds while it is refused, and more rarely while Redis is full', () => {
    expect(secondsOf(READONLY, 20)).toEqual([0, 1, 3, 7, 12, 17]);
    expect(secondsOf(OOM, 100)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  });

  it('soon again after a calm minute', () => {
    let now = 0;
    const reconnects = reconnectWhenRefused(() => now);
    const at = (second: number) => {
      now = second * 1_000;
      return reconnects(new Error(OOM));
    };
    expect([0, 1, 3, 7, 15, 80, 81].map(at)).toEqual(Array.from({ length: 7 }, () => true));
  });
});

describe('the address of a Redis that Sentinels know', () => {
  it('has Sentinels and the name of the primary, the usual port and database', () => {
    expect(parseSentinelUrl('redis+sentinel://one,two:1,[::1]:2/my-primary.1')).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 1 },
        { host: '::1', port: 2 },
      ],
      name: 'my-primary.1',
      db: 0,
    });
  });

  it('has what each asks for, and TLS for all', () => {
    const url =
      'rediss+sentinel://gate:p%40ss%2Bw@one/main/3?sentinel_username=watch&sentinel_password=s%26s';
    expect(parseSentinelUrl(url)).toEqual({
      sentinels: [{ host: 'one', port: 26_379 }],
      name: 'main',
      db: 3,
      username: 'gate',
      password: 'p@ss+w',
      sentinelUsername: 'watch',
      sentinelPassword: 's&s',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
    expect(parseSentinelUrl('redis+sentinel://:%zz@one/main')).toMatchObject({ password: '%zz' });
  });

  it.each([
    'redis://one/main',
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel:///main',
    'redis+sentinel://one,/main',
    'redis+sentinel://one:65536/main',
    'redis+sentinel://one two/main',
    'redis+sentinel://one/main/x',
    'redis+sentinel://one/main/3/4',
    'redis+sentinel://one/main?db=3',
    'redis+sentinel://one/ma in',
    'redis+sentinel://a:b:c@one/main@two',
  ])('is not %s', (url) => {
    expect(parseSentinelUrl(url)).toBeUndefined();
  });

  it('is shown without passwords', () => {
    expect(placeOf('redis+sentinel://u:secret@one:1,two/main?sentinel_password=secret')).toBe(
      'main (by Sentinel at one:1, two:26379)',
    );
    expect(placeOf('rediss://u:secret@cache:6379/2')).toBe('cache:6379');
  });
});

const TIMEOUT_MS = 100;

function stall(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describeWithRedis('RedisClient', () => {
  let shared: TestRedis;
  let redis: Redis;

  beforeEach(async () => {
    shared = await redisForTests();
    redis = new RedisClient(shared.url, { commandTimeout: TIMEOUT_MS });
    await redis.ping();
  });
  afterEach(async () => {
    redis.disconnect();
    await shared.dispose();
  });

  it('takes an answer that came while the process was busy, however late it is read', async () => {
    const duplicate = redis.duplicate();
    await duplicate.ping();
    const answers = [redis.set('key', 'value'), redis.get('key'), duplicate.ping()];
    stall(5 * TIMEOUT_MS);
    expect(await Promise.all(answers)).toEqual(['OK', 'value', 'PONG']);
    duplicate.disconnect();
  });

  it('connects a user who may not ask INFO and prints nothing on the console', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const name = `no-info-${shared.url.split('/').at(-1)}`;
    await redis.call('ACL', 'SETUSER', name, 'on', '>secret', '~*', '+@all', '-info');
    const limited = new RedisClient(shared.url, { username: name, password: 'secret' });
    expect(await limited.set('key', 'value')).toBe('OK');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    limited.disconnect();
    await redis.call('ACL', 'DELUSER', name);
  });

  it('gives up what Redis does not answer', async () => {
    const waiting = redis.call('BLPOP', 'nothing', '5');
    await expect(waiting).rejects.toThrow('Command timed out');
  });
});
