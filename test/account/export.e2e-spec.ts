import { DataSource } from 'typeorm';
import { advanceClock, eventually } from '#libs/platform/testing';
import { AccountExportService } from '../../apps/server/src/export/account-export.service.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Admin } from '../support/admin.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { beforeNextExport } from '../support/export.js';
import { startGatehouse, useGatehouse, useReplicas } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';
import { FRESH_MS, signedUp } from './own-account.js';

const EXPORT = '/svc/me/export';
const SECRET = /hash|public_key|secret|jwks/;

type Part = Record<string, unknown>;

interface Exported {
  readonly connections: readonly { readonly id: string; readonly calls: readonly Part[] }[];
  readonly [part: string]: unknown;
}

/** The values of all columns that hold a secret, or what proves one. */
async function secretsIn({ app }: { readonly app: { get(type: typeof DataSource): DataSource } }) {
  const found: string[] = [];
  for (const { tableName, columns } of app.get(DataSource).entityMetadatas) {
    const secret = columns.filter(({ databaseName }) => SECRET.test(databaseName));
    for (const { databaseName } of secret) {
      const rows = await app
        .get(DataSource)
        .query(
          `SELECT ${databaseName} AS secret FROM ${tableName} WHERE ${databaseName} IS NOT NULL`,
        )
        // Nest's TypeOrmModule keeps the entities of an extension that another spec file loaded, but not their tables.
        .catch(() => []);
      found.push(...(rows as { secret: unknown }[]).map((row) => String(row.secret)));
    }
  }
  return found;
}

describe('GET /svc/me/export (contract: Own account)', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let app: ConnectedApp;
  let browser: Browser;

  const part = async <T = Part>(path: string) => (await browser.get(path)).json<T>();

  /** An account that has something of everything. */
  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
    ({ browser } = app);
    await app.have('account_status');
    await browser.post('/svc/me/recovery-codes', {});
    const { user } = await browser.me();
    const identity = ['--issuer', 'https://sso.example', '--subject', `of ${user?.id}`];
    await new Admin(gatehouse).text('users', 'link', user?.id ?? '', ...identity);
    const client = await OAuthClient.register(gatehouse, { client_name: 'Idle' });
    await client.connect(browser, ['account:read']);
    await eventually(async () => {
      const { connections } = (await browser.get(EXPORT)).json<Exported>();
      expect(connections.flatMap(({ calls }) => calls)).toHaveLength(1);
    });
  });

  /** What the routes of the browser's account show, in the form of the export. */
  async function shown() {
    const { user, budget } = await browser.me();
    const { connections } = await part<{ connections: { id: string }[] }>('/svc/me/connections');
    const withCalls = connections.map(async (connection) => {
      const { calls } = await part(`/svc/me/connections/${connection.id}/calls`);
      return Object.assign(connection, { calls });
    });
    return {
      profile: { ...user, createdAt: expect.any(Number) },
      ...(await part('/svc/me/passkeys')),
      ...(await part('/svc/me/sessions')),
      connections: await Promise.all(withCalls),
      ...(await part('/svc/me/requests')),
      recoveryCodes: await part('/svc/me/recovery-codes'),
      identities: [
        {
          issuer: 'https://sso.example',
          subject: `of ${user?.id}`,
          createdAt: expect.any(Number),
        },
      ],
      budget: { ...budget, ownLimit: null },
      activity: (await part('/svc/me/activity'))['events'],
      extensions: {},
    };
  }

  it('is one JSON file in which each part is as its route shows it', async () => {
    const call = app.call('list_tabs');
    await eventually(async () =>
      expect((await part('/svc/me/requests'))['requests']).toHaveLength(1),
    );
    const answer = await browser.get(EXPORT);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="account-export.json"',
      'cache-control': 'no-store',
    });
    const exported = answer.json<Exported>();
    expect(exported).toEqual(await shown());
    expect(exported['requests']).toMatchObject([{ name: 'list_tabs', state: 'open' }]);
    expect(exported['sessions']).toMatchObject([{ current: true }]);
    const [request] = exported['requests'] as { id: string }[];
    await browser.post(`/svc/me/requests/${request?.id}`, { decision: 'no' });
    await call;
  });

  it('has nothing of another account, and no secret', async () => {
    const other = await ConnectedApp.connect(gatehouse, ['account:read']);
    const others = await Promise.all(
      ['passkeys', 'sessions', 'connections'].map(async (name) =>
        (await other.browser.get(`/svc/me/${name}`)).json<Record<string, { id: string }[]>>(),
      ),
    );
    const ids = others.flatMap((list) => Object.values(list)).flatMap((list) => list[0]?.id ?? '');
    const secrets = [
      ...(await secretsIn(gatehouse)),
      app.token,
      String(browser.cookie?.split('=')[1]),
    ];
    const { text } = await browser.get(EXPORT);
    expect([ids.length, secrets.length > 10]).toEqual([3, true]);
    for (const alien of [...ids, String((await other.browser.me()).user?.id), ...secrets]) {
      expect(alien.length).toBeGreaterThan(10);
      expect(text).not.toContain(alien);
    }
  });

  it('is the same from the command line and over /admin, where no session is current', async () => {
    const { user } = await browser.me();
    const id = user?.id ?? '';
    const own = (await browser.get(EXPORT)).json<Exported>();
    const elsewhere = (list: unknown) =>
      (list as Part[]).map((one) => Object.assign({}, one, { current: false }));
    const seen = {
      ...own,
      passkeys: elsewhere(own['passkeys']),
      sessions: elsewhere(own['sessions']),
    };
    const text = await new Admin(gatehouse).text('users', 'export', id);
    expect(JSON.parse(text)).toEqual(seen);
    const answer = await new AdminApi(gatehouse).get(`users/${id}/export`);
    expect([answer.status, answer.json()]).toEqual([200, seen]);
    expect(answer.headers['content-disposition']).toMatch(/^attachment/);

    const refused = await new Admin(gatehouse).run('users', 'export', 'nobody');
    const line = 'there is no user of that id\n';
    expect(refused).toEqual({ code: 1, stdout: '', stderr: line });
    expect((await new AdminApi(gatehouse).get('users/nobody/export')).status).toBe(404);
  });

  it('shows names that could control a terminal escaped on the command line', async () => {
    const { user } = await browser.me();
    const client_name = 'A\u{9b}2J\u{202e}pp';
    await (await OAuthClient.register(gatehouse, { client_name })).connect(browser, ['tabs:read']);
    const { connections } = (await browser.get('/svc/me/connections')).json<Exported>();
    const text = await new Admin(gatehouse).text('users', 'export', user?.id ?? '');
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(text).connections.map(({ app: name }: Part) => name)).toEqual(
      connections.map((one) => (one as unknown as Part)['app']),
    );
  });

  it('401 | its session ends while others are read', async () => {
    const { cookie } = browser;
    const elsewhere = new Browser(gatehouse);
    elsewhere.cookie = cookie;
    beforeNextExport(gatehouse, async () =>
      expect((await elsewhere.post('/svc/auth/logout')).status).toBe(204),
    );
    const { kept } = gatehouse.app.get(AccountExportService, { strict: false });
    const set = jest.spyOn(kept, 'set');
    expect((await browser.get(EXPORT)).status).toBe(401);
    await eventually(() =>
      expect([set.mock.calls[0]?.[2], kept.bytes]).toEqual([expect.any(Number), 0]),
    );
    set.mockRestore();
  });

  itWithClock('403 | a session that is not fresh | sign_in_again, after 401 and 405', async () => {
    advanceClock(FRESH_MS + 1);
    const refused = await browser.get(EXPORT);
    expect([refused.status, refused.json()]).toEqual([
      403,
      { error: expect.any(String), reason: 'sign_in_again' },
    ]);
    expect(refused.headers['content-disposition']).toBeUndefined();
    expect((await browser.send('HEAD', EXPORT)).status).toBe(405);
    expect((await new Browser(gatehouse).get(EXPORT)).status).toBe(401);
    await browser.signIn();
    expect((await browser.get(EXPORT)).status).toBe(200);
  });

  it('401 | a page of another origin', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await browser.get(EXPORT, foreign)).status).toBe(401);
  });
});

const MAX = 5;

describe('429 | GET /svc/me/export | counted among the changes of the session (contract: Own account)', () => {
  const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: '3600' };
  const [here, there] = useReplicas((other) => startGatehouse(limits, other));

  it('of any number at once, on any replica, that many are answered', async () => {
    const browser = await signedUp(here);
    const asking = Array.from({ length: 12 }, (_, n) =>
      browser.at(n % 2 === 0 ? here : there).send('GET', EXPORT),
    );
    const statuses = (await Promise.all(asking)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(MAX).fill(200), ...Array(12 - MAX).fill(429)]);
  });
});
