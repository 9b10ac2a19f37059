import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Row {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly user: string | null;
  readonly client: string | null;
  readonly actor: string | null;
  readonly network: string | null;
  readonly request: string | null;
}

describe('filters of the audit trail (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let admin: Admin;
  let api: AdminApi;
  let rows: readonly Row[];
  let id: string;

  /** Reads through the command line and through HTTP. */
  async function found(filter: Readonly<Record<string, string>>): Promise<Row[]> {
    const query = new URLSearchParams({ ...filter, limit: '1000' });
    const args = Object.entries(filter).map(([name, value]) => `--${name}=${value}`);
    const typed = await admin.json<{ items: Row[] }>('audit', 'list', '--limit=1000', ...args);
    const asked = await api.json<{ items: Row[] }>('GET', `audit?${query}`);
    expect(typed.items).toEqual(asked.items);
    return typed.items;
  }

  beforeAll(async () => {
    [admin, api] = [new Admin(gatehouse), new AdminApi(gatehouse)];
    const browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser);
    await client.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    await new Browser(gatehouse).signUp('Bob');
    await browser.signIn({ overrides: { badSignature: true } });
    await api.post(`users/${id}/sign-out`);
    await admin.text('users', 'sign-out', id, '--yes', '--actor', 'Ann of ops');
    rows = await eventually(async () => {
      const types = [
        'client-registered',
        'code-exchanged',
        'tool-called',
        'sign-in-failed',
        'user-signed-out',
      ];
      const { items } = await api.json<{ items: Row[] }>('GET', 'audit?limit=1000');
      expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
      expect(items.filter(({ type }) => type === 'user-signed-out')).toHaveLength(2);
      return items;
    });
  });

  it.each(['user', 'type', 'client', 'request', 'network', 'actor'] as const)(
    '%s takes rows that have just this value',
    async (member) => {
      const values = [...new Set(rows.map((row) => row[member]))].filter((value) => value !== null);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) {
        expect(await found({ [member]: value })).toEqual(
          rows.filter((row) => row[member] === value),
        );
      }
    },
  );

  it('several hold at once, and a time has a beginning and an end', async () => {
    const signedOut = rows.find(({ actor }) => actor === 'Ann of ops');
    const both = { user: id, actor: 'Ann of ops', type: 'user-signed-out' };
    expect(await found(both)).toEqual([signedOut]);
    const { at = '' } = rows[1] ?? {};
    expect(await found({ since: at, until: at })).toEqual(rows.filter((row) => row.at === at));
    expect(await found({ until: at })).toEqual(rows.filter((row) => row.at <= at));
    expect(await found({ until: '1h' })).toEqual([]);
    expect(await found({ request: 'unknown' })).toEqual([]);
  });

  it('rows have the members of delivered events; a table has app and credits too', async () => {
    const [called] = await found({ type: 'tool-called' });
    expect(called).toMatchObject({
      tool: 'account_status',
      outcome: 'done',
      reason: null,
      credits: 0,
      durationMs: expect.any(Number),
    });
    const [failed] = await found({ type: 'sign-in-failed' });
    expect(failed).toMatchObject({ tool: null, credits: null, reason: expect.any(String) });
    expect(await found({ type: 'consent-approved' })).toMatchObject([{ app: 'Test App' }]);
    const table = (type: string) => admin.text('audit', 'list', '--type', type);
    expect(await table('tool-called')).toMatch(/^AT .* COUNT +APP +CREDITS\n.* 1 +Test App +0\n$/);
    expect(await table('consent-approved')).toMatch(/^AT .* COUNT +APP\n.* 1 +Test App\n$/);
  });

  it('400 and 404 | a type that there is not, and an account that was never here', async () => {
    expect((await api.get('audit?type=sign-out-of')).status).toBe(400);
    expect((await api.get('audit?user=no-such-id')).status).toBe(404);
    await api.send('DELETE', `users/${id}`);
    const types = (await found({ user: id })).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['sign-up', 'user-signed-out']));
  });
});
