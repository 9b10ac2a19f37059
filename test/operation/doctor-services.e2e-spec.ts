import { readFile, writeFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import {
  findFreePort,
  type PostgresServer,
  type RedisServer,
  startPostgresServer,
  startRedisServer,
} from '#libs/platform/testing';
import { sqliteForTests } from '../support/services/storage-for-tests.js';

const describeFor = (storage: 'redis' | 'postgres', title: string, body: () => void) =>
  (globalThis.STORAGE === storage ? describe : describe.skip)(
    `${title} (runs with the ${storage} storage only)`,
    body,
  );

describeFor('redis', 'the doctor, on a Redis', () => {
  let server: RedisServer;
  let database: Awaited<ReturnType<typeof sqliteForTests>>;

  beforeEach(async () => {
    server = await startRedisServer(undefined, ['--appendonly', 'yes']);
    database = await sqliteForTests();
  });
  afterEach(async () => {
    await server.stop();
    await database.dispose();
  });

  const examineRedis = (url = server.url) =>
    examineConfiguration({ DATABASE_URL: database.url, REDIS_URL: url });

  async function configure(...commands: [string, ...string[]][]) {
    const redis = new Redis(server.url);
    for (const [command, ...args] of commands) await redis.call(command, ...args);
    redis.disconnect();
  }

  it('that is right: warns only of several machines with one SQLite file, and leaves no key', async () => {
    expect(complaintsOf(await examineRedis())).toEqual([
      expect.stringMatching(/^warn SQLite with Redis/),
    ]);
    const redis = new Redis(server.url);
    expect(await redis.dbsize()).toBe(0);
    redis.disconnect();
  });

  it('that is gone: says that nothing listens, and what that means', async () => {
    await server.stop();
    const { failed, text } = await examineRedis();
    expect(failed).toBe(true);
    expect(text).toMatch(/FAIL {2}Redis at 127\.0\.0\.1:\d+ cannot be used: connect ECONNREFUSED/);
    expect(text).toContain('ceremonies answer 503');
  });

  it('that is frozen: says so in time', async () => {
    server.freeze();
    const { failed, text } = await examineRedis();
    server.thaw();
    expect(failed).toBe(true);
    expect(text).toMatch(/FAIL {2}Redis at \S+ cannot be used: .*timed out/i);
  });

  it('that evicts: warns, and says why', async () => {
    await configure(['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']);
    const { failed, text } = await examineRedis();
    expect(failed).toBe(false);
    expect(text).toMatch(/warn {2}Redis drops challenges and counters when memory runs out/);
    expect(text).toContain('-> set maxmemory-policy noeviction');
  });

  it('that wants a password: never prints the wrong one', async () => {
    await configure(['CONFIG', 'SET', 'requirepass', 'r1ght']);
    const { failed, text } = await examineRedis(server.url.replace('//', '//default:wr0ng@'));
    expect(failed).toBe(true);
    expect(text).toMatch(/FAIL {2}Redis at \S+ cannot be used: WRONGPASS/);
    expect(text).not.toContain('wr0ng');
    const without = await examineRedis();
    expect(without.text).toMatch(/FAIL {2}Redis at \S+ cannot be used: NOAUTH/);
    const right = await examineRedis(server.url.replace('//', '//default:r1ght@'));
    expect(right.failed).toBe(false);
    expect(right.text).not.toContain('r1ght');
  });

  it('whose user has not all rights: names in one line what is refused, and the rights', async () => {
    await configure([
      'ACL',
      'SETUSER',
      'gate',
      'on',
      '>s3cret',
      '+@all',
      '-eval',
      '-publish',
      '~*',
    ]);
    const { failed, text } = await examineRedis(server.url.replace('//', '//gate:s3cret@'));
    expect(failed).toBe(true);
    const line = 'Redis does not let the service run eval, run publish, reach channels oauth:*';
    expect(text).toContain(`FAIL  ${line}, reach channels tabs:* (NOPERM)`);
    expect(text).not.toContain('s3cret');
  });
});

describeFor('postgres', 'the doctor, on a PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());

  const examinePostgres = (change: (url: URL) => void = () => {}) => {
    const url = new URL(server.url);
    change(url);
    return examineConfiguration({ DATABASE_URL: url.href });
  };

  async function asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  it('that is right: warns only of a second replica', async () => {
    expect(complaintsOf(await examinePostgres())).toEqual([
      expect.stringMatching(/^warn PostgreSQL without Redis is good for one replica only/),
    ]);
  });

  it('that is gone: says that nothing listens', async () => {
    const port = await findFreePort();
    const { failed, text } = await examinePostgres((url) => (url.port = String(port)));
    expect(failed).toBe(true);
    expect(text).toMatch(/FAIL {2}PostgreSQL at \S+ cannot be used: connect ECONNREFUSED/);
  });

  it('that wants another password: says so, and never prints the wrong one', async () => {
    const rules = await asSuperuser(async (client) => {
      await client.query("CREATE ROLE gate LOGIN PASSWORD 'r1ght'");
      const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
      return rows[0]?.hba_file ?? '';
    });
    const before = await readFile(rules, 'utf8');
    await writeFile(rules, `host all gate 127.0.0.1/32 scram-sha-256\n${before}`);
    await asSuperuser((client) => client.query('SELECT pg_reload_conf()'));
    const as = (password: string) => (url: URL) => {
      url.username = 'gate';
      url.password = password;
    };
    const { failed, text } = await examinePostgres(as('wr0ng'));
    expect(failed).toBe(true);
    expect(text).toMatch(
      /FAIL {2}PostgreSQL at \S+ cannot be used: password authentication failed/,
    );
    expect(text).not.toContain('wr0ng');

    const right = await examinePostgres(as('r1ght'));
    expect(right.failed).toBe(false);
    expect(right.text).not.toContain('r1ght');
  });
});
