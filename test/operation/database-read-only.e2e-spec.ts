import { Client } from 'pg';
import { ConnectedApp } from '../mcp/connected-app.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { askManagement } from '../support/management.js';
import { parseMetrics, valueOf } from './metrics-text.js';

const onPostgres = globalThis.STORAGE === 'postgres' ? describe : describe.skip;

onPostgres('a Postgres that is read-only (postgres only)', () => {
  let gatehouse: Gatehouse;
  let superuser: Client;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' });
    superuser = new Client({ connectionString: gatehouse.storage.environment.DATABASE_URL });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await gatehouse.stop();
  });

  /** Affects new connections, as after a failover to a standby. */
  const setReadOnly = async (value: 'on' | 'off') => {
    await superuser.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database());
    END $$`);
  };
  const hangUp = () =>
    superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  const readiness = async () => {
    const answer = await askManagement(gatehouse, '/readyz');
    const { dependencies } = answer.json<{ dependencies: { database: object } }>();
    return { ...dependencies.database, status: answer.status } as {
      readonly status: number;
      readonly readOnly?: boolean;
    };
  };
  const value = async (name: string, labels = {}) =>
    valueOf(parseMetrics((await askManagement(gatehouse, '/metrics')).text), name, labels);
  const refused = () =>
    value('gatehouse_refused_writes_total', { storage: 'database', reason: 'read-only' });

  it('/readyz and a metric report a read-only database, and the replica stays ready, reads, and follows by itself', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const assertion = await app.browser.assert();
    expect((await readiness()).readOnly).toBeUndefined();
    expect(await value('gatehouse_database_read_only')).toBe(0);
    expect(await refused()).toBe(0);

    await setReadOnly('on');
    await hangUp();
    await eventually(async () => {
      expect(await readiness()).toMatchObject({ status: 200, readOnly: true });
    });
    expect(await value('gatehouse_database_read_only')).toBe(1);
    expect((await app.browser.me()).user?.displayName).toBe('Ann');
    expect(await app.have('account_status')).toMatchObject({ user: { displayName: 'Ann' } });
    expect((await app.browser.post('/svc/auth/login/verify', assertion)).status).toBe(503);
    expect(await refused()).toBeGreaterThan(0);

    await setReadOnly('off');
    await eventually(async () => expect((await app.browser.signIn()).status).toBe(200));
    await eventually(async () => {
      await app.browser.signIn();
      expect((await readiness()).readOnly).toBeUndefined();
    });
    expect(await value('gatehouse_database_read_only')).toBe(0);
  });
});
