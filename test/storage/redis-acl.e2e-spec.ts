import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { REDIS_COMMANDS, redisRights } from '../../apps/server/src/redis-rights.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import { startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { startPublishedClients } from '../support/published-clients.js';
import { sqliteForTests } from '../support/services/storage-for-tests.js';
import { TabClient } from '../support/tab-client.js';

const page = readFileSync(
  new URL('../../docs/reference/configuration.md', import.meta.url),
  'utf8',
);
const LINE = /^ACL SETUSER gatehouse on >secret (.+)$/m.exec(page)?.[1] ?? '';

const OTHERWISE_TRIED = ['set', 'eval', 'evalsha', 'time', 'publish', 'subscribe'];
/** Commands for opening, keeping and closing connections, and those of this spec. */
const OF_CONNECTIONS = new Set([
  'acl',
  'auth',
  'client',
  'config',
  'info',
  'ping',
  'quit',
  'select',
]);

const onRedis = globalThis.STORAGE === 'redis';

(onRedis ? describe : describe.skip)('a Redis user (runs with the redis storage only)', () => {
  let redis: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    redis = await startRedisServer(undefined, ['--appendonly', 'yes']);
    admin = new Redis(redis.url);
    const rights = { gatehouse: LINE, prefixed: redisRights('acme.1:') };
    for (const [user, line] of Object.entries(rights)) {
      await admin.call('ACL', 'SETUSER', user, 'on', '>secret', ...line.split(' '));
    }
  });
  afterAll(async () => {
    admin.disconnect();
    await redis.stop();
  });

  const urlOf = (user: string, database = 0) =>
    `redis://${user}@127.0.0.1:${redis.port}/${database}`;

  it('has the rights of docs/reference/configuration.md, which the doctor names too', () => {
    expect(LINE).toBe(redisRights(''));
  });

  describe.each([
    ['these rights', 'gatehouse:secret', ''],
    ['those of a prefix', 'prefixed:secret', 'acme.1:'],
  ])('with %s', (_rights, user, REDIS_PREFIX) => {
    const onThisRedis = () => ({ REDIS_URL: urlOf(user, 3), REDIS_PREFIX });

    beforeAll(async () => {
      await admin.call('ACL', 'LOG', 'RESET');
      await admin.config('RESETSTAT');
    });

    it('can do whatever the service does', async () => {
      const clients = await startPublishedClients(onThisRedis());
      const { gatehouse, host } = clients;
      const replica = await startGatehouse(onThisRedis(), gatehouse);
      const app = await ConnectedApp.connect(gatehouse);
      expect((await app.browser.signIn()).status).toBe(200);
      expect(await app.have('run_code', { code: 'return 1' })).toMatchObject({ value: 1 });
      expect((await app.browser.me()).budget?.used).toBeGreaterThan(0);

      const redirects = { redirect_uris: ['https://app.example/callback'] };
      const published = OAuthClient.published(gatehouse, host.publish('/client', redirects));
      await app.browser.get(published.authorizePath());
      await app.browser.get(OAuthClient.published(gatehouse, host.privateHost).authorizePath());

      const here = await TabClient.open(gatehouse, app.browser);
      const elsewhere = { port: replica.port, origin: gatehouse.origin };
      const there = await TabClient.open(elsewhere, app.browser);
      await here.sees(here, there);
      here.say('hello', { title: 'A page' });
      const call = app.call('call_tab', { tab: there.id, method: 'colour' });
      const { id } = await there.next<{ id: string }>('request');
      there.say('result', { id, ok: true, value: 'teal' });
      expect((await call).structuredContent).toEqual({ value: 'teal' });
      const inDatabase = admin.duplicate({ db: 3 });
      const replicas = `${REDIS_PREFIX}tabs:replicas`;
      await inDatabase.zadd(replicas, 1, 'dead');
      await inDatabase.sadd(`${REDIS_PREFIX}tabs:at:dead`, 'ann');
      await eventually(async () => {
        expect(await inDatabase.zscore(replicas, 'dead')).toBeNull();
      });
      inDatabase.disconnect();
      await here.close();
      await there.sees(there);
      await replica.stop();
      await clients.stop();
      expect(await admin.call('ACL', 'LOG')).toEqual([]);
    });

    it('sends no command that the doctor does not try', async () => {
      const stats = String(await admin.info('commandstats'));
      const sent = Array.from(stats.matchAll(/^cmdstat_([a-z]+)/gm), ([, name = '']) => name);
      const known = new Set([
        ...REDIS_COMMANDS.map(([name = '']) => name),
        ...OTHERWISE_TRIED,
        ...OF_CONNECTIONS,
      ]);
      expect(sent.filter((name) => !known.has(name))).toEqual([]);
    });

    it('is right for the doctor', async () => {
      const database = await sqliteForTests();
      const variables = { DATABASE_URL: database.url, ...onThisRedis() };
      expect(complaintsOf(await examineConfiguration(variables))).toEqual([
        expect.stringMatching(/^warn SQLite with Redis/),
      ]);
      await database.dispose();
      expect(await admin.call('ACL', 'LOG')).toEqual([]);
    });

    it('cannot reach keys of another application', async () => {
      const connection = new Redis(urlOf(user, 3));
      connection.on('error', () => {});
      const forbidden = [
        ['GET', 'foreign-key'],
        ['GET', `other:${REDIS_PREFIX}budget:ann`],
        ['SET', 'foreign-key', '1'],
        ['EVAL', "return redis.call('GET', 'foreign-key')", '0'],
        ['PUBLISH', 'foreign-key', ''],
        ['KEYS', '*'],
        ['FLUSHALL'],
        ['CONFIG', 'GET', '*'],
        ['ACL', 'LIST'],
        ['SCRIPT', 'FLUSH'],
        ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ];
      for (const [command = '', ...args] of forbidden) {
        await expect(connection.call(command, ...args)).rejects.toThrow(/NOPERM|can't/);
      }
      connection.disconnect();
    });
  });

  describe('in the log of a start: one JSON object a line, and nothing on stderr', () => {
    const linesWith = async (user: string) => {
      const database = await sqliteForTests();
      const variables = { PORT: '0', DATABASE_URL: database.url, REDIS_URL: urlOf(user) };
      const server = new ServerProcess(variables);
      const port = await server.port();
      const origin = `http://localhost:${port}`;
      await new Browser({ port, origin }).me();
      server.signal('SIGTERM');
      expect(await server.exitCode()).toBe(0);
      await database.dispose();
      expect(server.stderr).toBe('');
      const lines = server.stdout.trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as { level: string; message: string });
    };
    const warnings = async (user: string) =>
      (await linesWith(user)).flatMap(({ level, message }) => (level === 'warn' ? message : []));

    it('without the right to INFO: not a word', async () => {
      const rights = redisRights('').replace(' +info', '').split(' ');
      await admin.call('ACL', 'SETUSER', 'no-info', 'on', '>secret', ...rights);
      expect(await warnings('no-info:secret')).toEqual([]);
    });

    it('with a wrong password: why, and that it starts without', async () => {
      const told = await warnings('gatehouse:wrong');
      expect(told).toContainEqual(
        expect.stringMatching(/^Redis at \S+ is out of service: WRONGPASS/),
      );
      expect(told).toContainEqual(expect.stringContaining('starting without it'));
      expect(told.join()).not.toContain('wrong:');
    });

    it('with a password that Redis does not ask for: what ioredis says', async () => {
      expect(await warnings(':unneeded')).toContainEqual(
        expect.stringContaining('does not require a password'),
      );
    });
  });
});
