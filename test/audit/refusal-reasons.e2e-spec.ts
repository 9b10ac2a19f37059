import { Admin } from '../support/admin.js';
import { startAdministered } from '../support/admin-api.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { auditRowsOnce } from './audit-rows.js';

describe('what was refused, and why (contract: Paths)', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let browser: Browser;
  let userId: string;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('has a row with the client, the request and the network of an authorization request', async () => {
    const client = await OAuthClient.register(gatehouse);
    const other = `${client.authorizePath()}&redirect_uri=https://evil.example/`;
    const unknown = client.authorizePath().replace(client.id, 'no-such-client');
    await new Admin(gatehouse).text('clients', 'block', client.id, '--yes');
    const answers = [];
    for (const path of [client.authorizePath(), other, unknown])
      answers.push(await browser.get(path));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    const rows = await auditRowsOnce(3, gatehouse, { type: 'authorization-refused' });
    expect(rows.map(({ client: id }) => id)).toEqual([client.id, null, null]);
    for (const [at, row] of rows.entries()) {
      expect(row).toMatchObject({
        user: null,
        request: answers[at]?.headers['x-request-id'],
        network: expect.stringMatching(/^[\w-]{22}$/),
      });
      expect(answers[at]?.text).toContain(row.detail?.slice(0, 200));
    }
    expect(JSON.stringify(rows)).not.toMatch(/evil|no-such-client"/);
  });

  it('has a row of an authorization request whose error goes to the client', async () => {
    const client = await OAuthClient.register(gatehouse);
    const refused = await browser.get(client.authorizePath({ response_type: 'token' }));
    await browser.get(client.authorizePath({ prompt: 'none' }));
    expect(refused.status).toBe(302);
    const rows = await auditRowsOnce(2, gatehouse, { client: client.id });
    expect(rows).toMatchObject([
      { type: 'client-registered' },
      {
        type: 'authorization-refused',
        detail: expect.stringMatching(/^unsupported_response_type: ./),
        request: refused.headers['x-request-id'],
        network: expect.any(String),
      },
    ]);
  });

  it('has a row of a token request of a client that is known', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: token } = await client.connect(browser);
    const refused = await client.token({ grant_type: 'refresh_token', refresh_token: 'x' });
    await new Admin(gatehouse).text('users', 'disable', userId, '--yes');
    const disabled = await client.refresh(token);
    await new Admin(gatehouse).text('users', 'enable', userId);
    expect([refused.status, disabled.status]).toEqual([400, 400]);
    expect(refused.json()['error_description']).toBe('grant request is invalid');
    const rows = await auditRowsOnce(2, gatehouse, { type: 'token-refused' });
    expect(rows).toMatchObject([
      { user: null, client: client.id, detail: 'invalid_grant: refresh token not found' },
      { user: userId, client: client.id, detail: 'invalid_grant: the account is disabled' },
    ]);
    expect(rows.map(({ request }) => request)).toEqual(
      [refused, disabled].map(({ headers }) => headers['x-request-id']),
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('names the account of a sign-in or recovery that was refused since it is disabled', async () => {
    const admin = new Admin(gatehouse);
    await browser.signIn();
    const answer = await browser.post('/svc/me/recovery-codes', {});
    const { codes } = answer.json<{ codes: string[] }>();
    await admin.text('users', 'disable', userId, '--yes');
    expect((await browser.signIn()).status).toBe(403);
    expect((await browser.post('/svc/recovery', { code: codes[0] })).status).toBe(403);
    const rows = await auditRowsOnce(2, gatehouse, { type: 'sign-in-failed' });
    const row = { user: userId, network: expect.any(String) };
    expect(rows).toMatchObject([row, row]);
    await admin.text('users', 'enable', userId);
    await browser.signIn();
    const { events } = (await browser.get('/svc/me/activity')).json<{
      events: { type: string }[];
    }>();
    expect(JSON.stringify(events)).not.toMatch(/sign-in-failed|refused/);
  });

  it('has the user, the app and the tool of a call without its scope, or of a name that no tool has; a token there is not told', async () => {
    const app = await ConnectedApp.connect(gatehouse, ['account:read']);
    const { user } = await app.browser.me();
    await app.change({ mayAsk: false });
    const lacking = await app.send('tools/call', { name: 'run_code', arguments: {} });
    expect([lacking.status, lacking.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('insufficient_scope'),
    ]);
    for (const name of ['no_such_tool', 'no such tool', 'no\nline', app.token, 'y'.repeat(43)]) {
      await app.send('tools/call', { name });
    }
    await app.send('resources/read', { uri: 'notes://secret' });
    const rows = await auditRowsOnce(4, gatehouse, { user: user?.id ?? '', type: 'call-refused' });
    const kind = 'tool';
    expect(rows).toMatchObject([
      { kind, tool: 'run_code', name: 'run_code', reason: 'needs code:run' },
      { kind, tool: null, name: 'no_such_tool', reason: 'does not exist' },
      { kind, tool: null, name: null, reason: 'does not exist' },
      { kind: 'resource', tool: null, name: null, reason: 'does not exist' },
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ app: 'Test App', client: expect.any(String) });
      expect(row).toMatchObject({ grant: expect.any(String), network: null });
    }
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/secret|no such|line|yyy/);
    expect(text).not.toContain(app.token);
    const { events } = (await app.browser.get('/svc/me/activity')).json<{ events: object[] }>();
    expect(JSON.stringify(events)).not.toContain('call-refused');
  });
});
