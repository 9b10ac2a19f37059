import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { describeOnRedis, eventually } from '../../testing.js';
import { RedisChannel } from './redis-channel.js';

const options = {
  name: 'oauth:news',
  connectionName: 'gatehouse-news',
  logContext: 'News',
  sendingFails: 'news does not go out',
  sendingWorks: 'news goes out again',
  hearingFails: 'no news comes in',
  format: (text: string) => text,
  parse: (text: string) => text,
};

describeOnRedis('a channel of all replicas', (connections) => {
  let others: Redis[];
  let channels: RedisChannel<string>[];
  let heard: string[][];
  let lines: string[];

  beforeEach(() => {
    [others, channels, heard, lines] = [[], [], [], []];
    const log = (line: unknown) => void lines.push(String(line));
    Logger.overrideLogger({ log, warn: log, error: log });
  });
  afterEach(async () => {
    await Promise.all(channels.map((channel) => channel.onApplicationShutdown()));
    for (const redis of others) redis.disconnect();
    Logger.overrideLogger(false);
  });

  const open = (redis: Redis) => {
    const channel = new RedisChannel(redis, options);
    const texts: string[] = [];
    channel.listen((text) => texts.push(text));
    channels.push(channel);
    heard.push(texts);
    return channel;
  };
  /** A further connection, with other options. */
  const connect = (to: object) => {
    const redis = connections()[0].duplicate(to);
    others.push(redis);
    return redis;
  };
  const hearingOf = (channel: RedisChannel<string>) => Reflect.get(channel, 'hearing') as Redis;
  const listening = (count: number, name = `oauth:news:${connections()[0].options.db}`) =>
    eventually(async () =>
      expect(await connections()[0].pubsub('NUMSUB', name)).toEqual([name, count]),
    );
  /** Everything that was heard so far, by replica, once each replica has heard a last text. */
  const heardUntil = (last: string) =>
    eventually(() => {
      expect(heard.map((texts) => texts.at(-1))).toEqual(heard.map(() => last));
      return heard;
    });

  it('brings each text to every replica, the sender included', async () => {
    const [here] = connections().map(open);
    await listening(2);
    for (const text of ['a', '', 'b']) here?.publish(text);
    expect(await heardUntil('b')).toEqual([
      ['a', '', 'b'],
      ['a', '', 'b'],
    ]);
    expect(lines).toEqual([]);
  });

  it('brings no text of more than 4,000 characters', async () => {
    const here = open(connections()[0]);
    await listening(1);
    for (const text of ['x'.repeat(4_001), 'y'.repeat(4_000)]) here.publish(text);
    expect(await heardUntil('y'.repeat(4_000))).toEqual([['y'.repeat(4_000)]]);
  });

  it('belongs to a key prefix and a logical database', async () => {
    const [redis] = connections();
    const replicas = [redis, connect({ keyPrefix: 'other:' }), connect({ db: 0 })].map(open);
    await listening(1);
    await listening(1, `other:oauth:news:${redis.options.db}`);
    await listening(1, 'oauth:news:0');
    for (const [n, replica] of replicas.entries()) replica.publish(`${n}`);
    for (const replica of replicas) replica.publish('end');
    expect(await heardUntil('end')).toEqual([
      ['0', 'end'],
      ['1', 'end'],
      ['2', 'end'],
    ]);
  });

  it('is heard again after the connection broke', async () => {
    const here = open(connections()[0]);
    await listening(1);
    hearingOf(here).disconnect(true);
    await eventually(() => expect(hearingOf(here).status).not.toBe('ready'));
    await listening(1);
    here.publish('a');
    expect(await heardUntil('a')).toEqual([['a']]);
  });

  it('opens its connection again when Redis leaves two beats unanswered', async () => {
    const here = open(connections()[0]);
    await listening(1);
    const silent = hearingOf(here);
    const ping = jest.spyOn(silent, 'ping').mockRejectedValue(new Error('Command timed out'));
    const closed = new Promise((resolve) => silent.once('close', resolve));
    for (let beat = 0; beat < 2; beat += 1) await here.beat();
    await closed;
    ping.mockRestore();
    await listening(1);
    here.publish('a');
    expect(await heardUntil('a')).toEqual([['a']]);
  });

  it('keeps it while texts come that are read before the answers', async () => {
    const here = open(connections()[0]);
    await listening(1);
    const busy = hearingOf(here);
    const disconnect = jest.spyOn(busy, 'disconnect');
    let beats = 0;
    const ping = jest.spyOn(busy, 'ping').mockImplementation(async () => {
      beats += 1;
      here.publish(`${beats}`);
      await heardUntil(`${beats}`);
      throw new Error('Command timed out');
    });
    for (let beat = 0; beat < 2; beat += 1) await here.beat();
    expect(disconnect).not.toHaveBeenCalled();
    ping.mockRestore();
    disconnect.mockRestore();
  });

  it('says in the log, once, that texts do not go out, and that they do again', async () => {
    const redis = connect({});
    const here = open(redis);
    await listening(1);
    redis.disconnect();
    await eventually(() => expect(redis.status).toBe('end'));
    for (const text of ['a', 'b']) here.publish(text);
    await eventually(() =>
      expect(lines).toEqual([expect.stringMatching(/^news does not go out: Error: /)]),
    );
    await redis.connect();
    here.publish('c');
    expect(await heardUntil('c')).toEqual([['c']]);
    expect(lines.slice(1)).toEqual(['news goes out again']);
  });

  it('says in the log that Redis refuses to let it hear, and does not insist', async () => {
    const [redis] = connections();
    const username = `deaf-${redis.options.db}`;
    await redis.call('ACL', 'SETUSER', username, 'on', '>secret', '+@all', 'resetchannels');
    try {
      const here = open(connect({ username, password: 'secret' }));
      await eventually(() =>
        expect(lines).toEqual([expect.stringMatching(/^no news comes in: .*NOPERM/)]),
      );
      expect(hearingOf(here).status).toBe('ready');
    } finally {
      await redis.call('ACL', 'DELUSER', username);
    }
  });
});
