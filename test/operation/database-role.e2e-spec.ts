import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { runGatehouseProcess } from '../support/admin-process.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { ServerProcess } from '../support/built-server.js';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const page = readFileSync(new URL('../../docs/guides/operating.md', import.meta.url), 'utf8');
const [, statements = ''] = /^```postgresql\n([^]+?)^```$/m.exec(page) ?? [];

const onPostgres = globalThis.STORAGE === 'postgres' ? describe : describe.skip;

onPostgres('the users of Postgres that docs/guides/operating.md makes (postgres only)', () => {
  let storage: TestStorage;
  let superuser: Client;
  let replica: Readonly<Record<string, string>>;
  let owner: Readonly<Record<string, string>>;
  let role: string;

  beforeAll(async () => {
    storage = await storageForTests();
    role = `replica_${randomBytes(8).toString('hex')}`;
    superuser = new Client({ connectionString: storage.environment.DATABASE_URL });
    await superuser.connect();
    await superuser.query(statements.replaceAll(/\bgatehouse(?=(?:_owner)?\b)/g, role));
    const as = (user: string) => {
      const url = new URL(storage.environment.DATABASE_URL);
      url.username = user;
      return { ...storage.environment, DATABASE_URL: url.href };
    };
    owner = as(`${role}_owner`);
    replica = { ...as(role), MIGRATE: 'off' };
    expect(await runGatehouseProcess(owner, 'migrate')).toMatchObject({ code: 0, stderr: '' });
  });
  afterAll(async () => {
    await superuser.query(`DROP OWNED BY ${role}, ${role}_owner CASCADE`);
    await superuser.query(`DROP ROLE ${role}, ${role}_owner`);
    await superuser.end();
    await storage.dispose();
  });

  const rightsIn = async (variables: Readonly<Record<string, string>>) =>
    complaintsOf(await examineConfiguration(variables)).filter((line) => line.startsWith('FAIL'));

  it('are enough to migrate, and then to do all that a replica does', async () => {
    const server = new ServerProcess({ ...replica, PORT: '0' });
    const port = await server.port();
    const app = await ConnectedApp.connect({ port, origin: `http://localhost:${port}` });
    expect((await app.browser.signIn()).status).toBe(200);
    expect(await app.have('run_code', { code: 'return 6 * 7' })).toMatchObject({ value: 42 });
    await server.kill();
    expect(server.stdout).not.toContain('permission denied');
  });

  it('let a replica change no schema', async () => {
    const client = new Client({ connectionString: replica['DATABASE_URL'] });
    await client.connect();
    await expect(client.query('CREATE TABLE mine (id integer)')).rejects.toThrow('permission');
    await expect(client.query('DROP TABLE sessions')).rejects.toThrow('must be owner');
    await client.end();
  });

  it('are right for the doctor, which names each right that a replica lacks, on later tables too', async () => {
    expect(await rightsIn(replica)).toEqual([]);
    expect(await rightsIn(owner)).toEqual([]);
    await superuser.query(`
      REVOKE UPDATE, DELETE ON sessions FROM ${role};
      REVOKE SELECT ON oauth_grants FROM ${role};
      CREATE TABLE of_another_role (id integer)`);
    expect(await rightsIn(replica)).toEqual([
      'FAIL its user may not read and write oauth_grants, sessions',
    ]);
    await superuser.query(`
      GRANT SELECT, UPDATE, DELETE ON sessions, oauth_grants TO ${role};
      SET ROLE ${role}_owner;
      CREATE TABLE of_a_later_version (id serial);
      RESET ROLE`);
    expect(await rightsIn(replica)).toEqual([]);
  });
});
