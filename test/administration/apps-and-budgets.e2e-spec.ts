import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

interface App {
  readonly id: string;
  readonly client: string;
}

const CODE = { name: 'run_code', arguments: { code: 'return 1' } };

describe('admin apps and budget (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let admin: Admin;
  let browser: Browser;
  let id: string;

  beforeAll(async () => {
    admin = new Admin(gatehouse);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('lists the apps of one account, newest first, and disconnects one', async () => {
    const clients = [await OAuthClient.register(gatehouse), await OAuthClient.register(gatehouse)];
    const tokens = [];
    for (const client of clients) tokens.unshift(await client.connect(browser));
    const { items } = await admin.json<Page<App>>('apps', 'list', '--user', id);
    expect(items.map(({ client }) => client)).toEqual(clients.toReversed().map((c) => c.id));
    expect(items[0]).toMatchObject({ user: id, app: 'Test App', scope: ['account:read'] });
    const page = await admin.json<Page<App>>('apps', 'list', '--user', id, '--limit', '1');
    expect(page).toEqual({ items: [items[0]], next: items[0]?.id });

    const app = items[0]?.id ?? '';
    expect(await admin.text('apps', 'revoke', app, '--yes')).toBe('Disconnected: Test App.\n');
    const statuses = tokens.map(({ access_token: token }) => clients[0]?.mcp(token));
    expect((await Promise.all(statuses)).map((answer) => answer?.status)).toEqual([401, 200]);
    const refused = await admin.run('apps', 'revoke', app, '--yes');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no connected app of that id\n',
    });
    const args = ['audit', 'list', '--user', id, '--type', 'app-disconnected'];
    const events = await admin.json<Page<object>>(...args);
    expect(events.items).toEqual([
      expect.objectContaining({ user: id, grant: app, actor: userInfo().username }),
    ]);
  });

  it('gives an account a daily limit of its own, and takes it away', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['code:run']);
    const runs = async () => (await client.mcp(token, 'tools/call', CODE)).text;
    expect(await runs()).not.toContain('"isError":true');

    expect(await admin.text('budget', 'set', id, '2')).toBe('Limit: 2 credits a day.\n');
    expect((await browser.me()).budget).toMatchObject({ limit: 2 });
    expect(await runs()).toContain('"isError":true');
    expect(await admin.json('budget', 'show', id)).toEqual({
      user: id,
      used: expect.any(Number),
      limit: 2,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
      ownLimit: 2,
    });

    await admin.text('budget', 'set', id, 'default');
    expect((await browser.me()).budget).toMatchObject({ limit: 1000 });
    const { used } = (await browser.me()).budget ?? { used: 0 };
    expect(used).toBeGreaterThan(0);
    expect(await admin.text('budget', 'reset', id, '--yes')).toBe('Used today: 0 credits.\n');
    expect((await browser.me()).budget).toMatchObject({ used: 0 });
    const detailsOf = async (type: string) => {
      const args = ['audit', 'list', '--user', id, '--type', type];
      const { items } = await admin.json<Page<{ detail: string | null }>>(...args);
      return items.map(({ detail }) => detail);
    };
    expect(await detailsOf('budget-set')).toEqual(['default', '2']);
    expect(await detailsOf('budget-reset')).toEqual([null]);
  });

  it.each([
    ['-- -1', ['budget', 'set', 'ID', '--', '-1']],
    ['too many', ['budget', 'set', 'ID', '1000000001']],
    ['a limit for an unknown account', ['budget', 'set', 'no-such-id', '5']],
    ['a reset for an unknown account', ['budget', 'reset', 'no-such-id', '--yes']],
    ['without an answer', ['budget', 'reset', 'ID']],
    ['apps of an unknown account', ['apps', 'list', '--user', 'no-such-id']],
    ['apps of no account', ['apps', 'list']],
  ])('refuses %s', async (_what, args) => {
    const answer = await admin.run(...args.map((arg) => (arg === 'ID' ? id : arg)));
    expect({ ...answer, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(answer.stderr).toMatch(/^[^\n]+\n$/);
    expect((await browser.me()).budget).toMatchObject({ used: 0, limit: 1000 });
  });
});
