import { Pool } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { createDataSource, isDatabaseOutage, migrate } from '#libs/platform';
import { Browser } from '../support/browser.js';
import { eventually, findPgBouncer } from '#libs/platform/testing';
import { examineConfiguration } from '../support/examination.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { type PgBouncerServer, startPgBouncer } from '../support/services/pgbouncer-server.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

/** Fewer than either replica would open, so that the replicas share them. */
const POOL_SIZE = 2;
/** Enough for a service, and for the doctor with its own service, which keep their connections. */
const SESSIONS = 40;

const LIMITS = `SELECT current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle`;

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

const isInstalled = findPgBouncer() !== undefined;

(isInstalled ? describe : describe.skip)(
  'two replicas behind a PgBouncer (left out where it is not installed)',
  () => {
    let storage: TestStorage;
    let pooler: PgBouncerServer;
    let replicas: readonly [Gatehouse, Gatehouse];
    let dataSource: DataSource;

    beforeAll(async () => {
      storage = await storageForTests();
      pooler = await startPgBouncer(storage.environment.DATABASE_URL, 'transaction', POOL_SIZE);
      const variables = { ...storage.environment, DATABASE_URL: pooler.url };
      replicas = await Promise.all([startGatehouse(variables), startGatehouse(variables)]);
      dataSource = replicas[0].app.get(DataSource);
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await pooler.stop();
      await storage.dispose();
    });

    /** Asks on each connection of the pooler, as another client that shares them. */
    const limitsOfOthers = async () => {
      const others = new Pool({ connectionString: pooler.url, max: POOL_SIZE });
      const rows = await eventually(async () => {
        const found = await times(POOL_SIZE, () =>
          others.query(`${LIMITS}, pg_backend_pid() AS pid, pg_sleep(0.2)`),
        );
        const asked = found.flatMap(({ rows: [row] }) => row);
        expect(new Set(asked.map(({ pid }) => pid)).size).toBe(POOL_SIZE);
        return asked;
      });
      await others.end();
      return rows.map(({ statement, idle }) => [statement, idle]);
    };

    it('serve all that takes transactions, at the same time', async () => {
      const [one, other] = replicas;
      const browsers = await times(8, async (n) => {
        const browser = new Browser(one).at(n % 2 ? one : other);
        expect((await browser.signUp()).status).toBe(200);
        return browser;
      });
      const client = await OAuthClient.register(one);
      const [browser = new Browser(one)] = browsers;
      const { refresh_token: token } = await client.connect(browser);
      const elsewhere = client.at(other);
      const answers = await times(16, (n) => (n % 2 ? client : elsewhere).refresh(token));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const { access_token: access } = answers[0]?.json<TokenResponse>() ?? { access_token: '' };
      const status = { name: 'account_status', arguments: {} };
      const calls = await times(8, (n) =>
        (n % 2 ? client : elsewhere).mcp(access, 'tools/call', status),
      );
      for (const call of calls) {
        expect(call.json()).toMatchObject({
          result: { structuredContent: { budget: { used: 0 } } },
        });
      }
    });

    it('limit each transaction on the server, and leave no limit to others', async () => {
      const within = await times(8, () =>
        dataSource.transaction((manager) => manager.query(`${LIMITS}, pg_sleep(0.05)`)),
      );
      for (const [row] of within) expect(row).toMatchObject({ statement: '5s', idle: '10s' });
      expect(await limitsOfOthers()).toEqual(Array.from({ length: POOL_SIZE }, () => ['0', '0']));
    });

    it('have a statement ended by the server when it takes too long', async () => {
      const failure = await dataSource
        .transaction((manager) => manager.query('SELECT pg_sleep(60)'))
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ driverError: { code: '57014' } });
      expect(isDatabaseOutage(failure)).toBe(true);
    });

    it('use prepared statements on whatever connection comes', async () => {
      const { master } = dataSource.driver as unknown as { master: Pool };
      const named = (n: number) =>
        master.query({
          name: 'twice',
          text: 'SELECT 2 * $1::int AS twice, pg_sleep(0.01)',
          values: [n],
        });
      const { connectionTimeoutMillis } = master.options;
      // A busy machine may take longer than the second that a query waits for a connection.
      master.options.connectionTimeoutMillis = 30_000;
      const answers = await times(32, named);
      master.options.connectionTimeoutMillis = connectionTimeoutMillis;
      expect(answers.map(({ rows: [row] }) => row.twice)).toEqual(answers.map((_, n) => 2 * n));
    });

    it('migrate without a limit, also where their user has one', async () => {
      const name = new URL(pooler.url).pathname.slice(1);
      await dataSource.query(`ALTER DATABASE ${name} SET statement_timeout = '50ms'`);
      const fresh = await startPgBouncer(storage.environment.DATABASE_URL, 'transaction', 1);
      const slow = createDataSource(
        { type: 'postgres', url: fresh.url },
        { migrations: [Slow0001Migration9000000000001] },
      );
      await slow.initialize();
      expect(await migrate(slow)).toHaveLength(1);
      await slow.destroy();
      await fresh.stop();
      await dataSource.query(`ALTER DATABASE ${name} RESET statement_timeout`);
    });
  },
);

(isInstalled ? describe : describe.skip)(
  'PgBouncer in its session mode (left out where it is not installed)',
  () => {
    it('lets the service in, and the doctor', async () => {
      const storage = await storageForTests();
      const pooler = await startPgBouncer(storage.environment.DATABASE_URL, 'session', SESSIONS);
      const variables = { ...storage.environment, DATABASE_URL: pooler.url };
      const gatehouse = await startGatehouse(variables);
      expect((await new Browser(gatehouse).signUp()).status).toBe(200);
      expect((await examineConfiguration(variables)).failed).toBe(false);
      await gatehouse.stop();
      await pooler.stop();
      await storage.dispose();
    });
  },
);

class Slow0001Migration9000000000001 {
  up = (runner: QueryRunner) => runner.query('SELECT pg_sleep(0.3)');

  async down() {}
}
