import {
  AdminApi,
  advanceClock,
  Browser,
  createInvite,
  createMachine,
  eventually,
  type Gatehouse,
  OAuthClient,
  restoreClock,
  SoftAuthenticator,
  startGatehouse,
  TabClient,
} from '../support/index.js';
import { linesOf, read, snippetsIn } from './doc-snippets.js';

const SOURCE = linesOf(read('test/extending/documented-kit.e2e-spec.ts'));
const SNIPPETS = snippetsIn(read('docs/reference/test-kit.md'));

describe('docs/reference/test-kit.md', () => {
  const token = 'a-token-of-32-characters-or-more';
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({
      variables: {
        SIGN_UP: 'invite',
        MACHINE_CLIENTS: 'on',
        MANAGEMENT_PORT: '0',
        ADMIN_TOKEN: token,
      },
    });
  });
  afterAll(() => gatehouse.stop());
  afterEach(() => restoreClock());

  /** Ann's browser, signed in. */
  const signedUp = async () => {
    const { code } = await createInvite(gatehouse);
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann', { invite: code });
    return browser;
  };

  it.each(SNIPPETS)('has what a test here does: %s', (snippet) => {
    expect(SOURCE).toContain(snippet);
  });

  it('Browser', async () => {
    const { code } = await createInvite(gatehouse);
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann', { invite: code });
    expect((await browser.me()).user?.displayName).toBe('Ann');
    const answer = await browser.get('/svc/me/sessions');
    expect(answer.json<{ sessions: object[] }>().sessions).toHaveLength(1);
  });

  it('SoftAuthenticator', async () => {
    const key = SoftAuthenticator.securityKey();
    const { code } = await createInvite(gatehouse);
    await new Browser(gatehouse, key).signUp('Ann', { invite: code });
    const elsewhere = new Browser(gatehouse, key);
    expect((await elsewhere.signIn()).status).toBe(200);
  });

  it('OAuthClient', async () => {
    const browser = await signedUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: accessToken } = await client.connect(browser, ['account:read']);
    const params = { name: 'account_status', arguments: {} };
    const answer = await client.mcp(accessToken, 'tools/call', params);
    expect(answer.text).toContain('Ann');
  });

  it('TabClient', async () => {
    const browser = await signedUp();
    const tab = await TabClient.open(gatehouse, browser);
    const other = await TabClient.open(gatehouse, browser);
    tab.say('send', { to: other.id, body: 'hello' });
    expect(await other.next('message')).toMatchObject({ from: tab.id, body: 'hello' });
    await Promise.all([tab.close(), other.close()]);
  });

  it('AdminApi', async () => {
    const browser = await signedUp();
    const { user } = await browser.me();
    const admin = new AdminApi(gatehouse, token);
    expect((await admin.post(`users/${user?.id}/disable`)).status).toBe(200);
    expect((await browser.me()).user).toBeNull();
  });

  it('MachineClient', async () => {
    const machine = await createMachine(gatehouse, ['code:run'], { token });
    const params = { name: 'run_code', arguments: { code: '6 * 7' } };
    const answer = await machine.mcp(await machine.token(), 'tools/call', params);
    expect(answer.text).toContain('42');
  });

  it('eventually and the clock', async () => {
    const browser = await signedUp();
    await eventually(async () => {
      const { events } = (await browser.get('/svc/me/activity')).json<{ events: object[] }>();
      expect(events).toContainEqual(expect.objectContaining({ type: 'sign-up' }));
    });
    advanceClock(8 * 24 * 60 * 60 * 1000);
    expect((await browser.me()).user).toBeNull();
  });
});
