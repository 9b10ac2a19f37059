import { userInfo } from 'node:os';
import { BudgetService } from '#libs/budget';
import { tablesWithAccount } from '../support/account-rows.js';
import { Admin } from '../support/admin.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Page<T> {
  readonly items: T[];
}

describe('admin users delete (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let admin: Admin;
  let browser: Browser;
  let id: string;

  const remove = (...more: string[]) => admin.run('users', 'delete', id, ...more);

  beforeAll(async () => {
    admin = new Admin(gatehouse);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('leaves no row and no credit behind but the audit trail, and its credentials open nothing any more', async () => {
    const client = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser, ['account:read', 'code:run']);
    await client.showConsent(browser);
    await browser.post('/svc/me/recovery-codes');
    await admin.text('budget', 'set', id, '900');
    const run = { name: 'run_code', arguments: { code: 'return 1' } };
    await client.mcp(tokens.access_token, 'tools/call', run);
    expect((await browser.me()).budget?.used).toBeGreaterThan(0);

    expect(await remove('--yes')).toEqual({ code: 0, stdout: 'Deleted: Ann.\n', stderr: '' });
    expect(await tablesWithAccount(gatehouse, id)).toEqual(['audit_events']);
    // No request can ask for the credits of a deleted account.
    const budgets = gatehouse.app.get(BudgetService, { strict: false });
    expect(await budgets.read(id)).toMatchObject({ used: 0, limit: 1000 });
    expect((await browser.me()).user).toBeNull();
    expect((await client.mcp(tokens.access_token)).status).toBe(401);
    const refused = await browser.signIn();
    expect([refused.status, refused.headers['passkey-signal']]).toEqual([400, 'unknown']);
    const events = await admin.json<Page<object>>('audit', 'list', '--user', id, '--limit', '1');
    const actor = userInfo().username;
    expect(events.items).toEqual([expect.objectContaining({ type: 'account-deleted', actor })]);
  });

  it('leaves no limit of its own behind, also where one is set at the same moment', async () => {
    const api = new AdminApi(gatehouse);
    const set = () => api.send('PUT', `budgets/${id}`, { credits: 7 });
    const acts = [set(), set(), remove('--yes'), set(), set()];
    await Promise.all(acts);
    expect(await tablesWithAccount(gatehouse, id)).toEqual(['audit_events']);
  });

  it('an unknown user, or no answer: changes nothing', async () => {
    const unanswered = await remove();
    expect({ ...unanswered, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(unanswered.stderr).toContain('--yes');
    expect(await admin.run('users', 'delete', 'no-such-id', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no user of that id\n',
    });
    expect(await tablesWithAccount(gatehouse, id)).toEqual(
      expect.arrayContaining(['credentials', 'sessions', 'users']),
    );
  });

  it('of parallel deletions one succeeds, and one event reports it', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove('--yes')));
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1, 1, 1]);
    const args = ['audit', 'list', '--user', id, '--type', 'account-deleted'];
    expect((await admin.json<Page<object>>(...args)).items).toHaveLength(1);
  });
});
