import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';

interface Page<T> {
  readonly items: T[];
}

describe('a disabled account (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let admin: Admin;
  let browser: Browser;
  let id: string;

  const disable = () => admin.text('users', 'disable', id, '--yes');
  const enable = () => admin.text('users', 'enable', id);
  const phone = () => new Browser(gatehouse, browser.authenticator);

  beforeAll(async () => {
    admin = new Admin(gatehouse);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('is signed out everywhere', async () => {
    expect(await disable()).toBe('Disabled: Ann.\n');
    expect((await browser.me()).user).toBeNull();
    expect((await browser.get('/svc/me/apps')).status).toBe(401);
  });

  it('403 | login/verify | the account is disabled; the passkey works again when it is enabled', async () => {
    await disable();
    const refused = await phone().signIn();
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(refused.json()).toEqual({
      error: 'this account is disabled; contact an administrator of this service',
    });
    expect(await enable()).toBe('Enabled: Ann.\n');
    expect((await phone().signIn()).status).toBe(200);
    expect((await browser.me()).user).toBeNull();
  });

  it('403 | recovery | the account is disabled; the code is not used up', async () => {
    const made = await browser.post('/svc/me/recovery-codes');
    const [code] = made.json<{ codes: string[] }>().codes;
    await disable();
    const recover = () => new Browser(gatehouse).post('/svc/recovery', { code });
    expect((await recover()).status).toBe(403);
    await enable();
    expect((await recover()).status).toBe(200);
  });

  it('adds no passkey that was asked for before', async () => {
    const second = new Browser(gatehouse);
    second.cookie = browser.cookie;
    const response = await second.attest({}, {});
    await disable();
    expect((await browser.post('/svc/auth/register/verify', response)).status).toBe(403);
  });

  it('bearer tokens are 401 invalid_token, refresh and code invalid_grant, and all come back', async () => {
    const client = await OAuthClient.register(gatehouse);
    const other = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser);
    const code = await other.authorize(browser);
    await disable();

    const bearer = await client.mcp(tokens.access_token);
    expect(bearer.status).toBe(401);
    expect(bearer.headers['www-authenticate']).toContain('error="invalid_token"');
    for (const answer of [
      await client.refresh(tokens.refresh_token),
      await client.refresh(tokens.refresh_token),
      await other.exchange(code),
    ]) {
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_grant' }),
      ]);
    }

    await enable();
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await other.exchange(code)).status).toBe(200);
  });

  it('a refresh token that was replaced long ago is no replay while the account is disabled', async () => {
    const client = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser);
    const next = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
    const latest = (await client.refresh(next.refresh_token)).json<TokenResponse>();
    await disable();
    const refused = await client.refresh(tokens.refresh_token);
    expect([refused.status, refused.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'the account is disabled' },
    ]);
    await enable();
    expect((await client.refresh(latest.refresh_token)).status).toBe(200);
  });

  it('disconnects an app that asks for it all the same', async () => {
    const client = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser);
    await disable();
    expect((await client.revoke(tokens.refresh_token)).status).toBe(200);
    await enable();
    expect((await client.mcp(tokens.access_token)).status).toBe(401);
  });

  it('has no session, however many sign-ins run at the same moment', async () => {
    const phones = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const one = phone();
        return { one, assertion: await one.assert() };
      }),
    );
    await Promise.all([
      disable(),
      ...phones.map(({ one, assertion }) => one.post('/svc/auth/login/verify', assertion)),
    ]);
    for (const { one } of phones) expect((await one.me()).user).toBeNull();
    expect(await admin.json('users', 'show', id)).toMatchObject({ sessions: 0 });
  });

  it('is shown and written down, with who did it', async () => {
    await disable();
    await disable();
    const { items } = await admin.json<Page<object>>('users', 'list', '--search', id);
    expect(items).toEqual([expect.objectContaining({ id, disabledAt: expect.any(String) })]);
    await enable();
    expect(await admin.json('users', 'show', id)).toMatchObject({ disabledAt: null });
    const events = await admin.json<Page<object>>('audit', 'list', '--user', id, '--limit', '3');
    const actor = userInfo().username;
    expect(events.items).toEqual(
      ['user-enabled', 'user-disabled', 'user-disabled'].map((type) =>
        expect.objectContaining({ type, actor }),
      ),
    );
  });

  it('without a known id or a confirmation nothing changes', async () => {
    for (const args of [
      ['disable', 'no-such-id', '--yes'],
      ['enable', 'no-such-id'],
      ['disable', id],
    ]) {
      const answer = await admin.run('users', ...args);
      expect({ ...answer, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
    }
    expect((await browser.me()).user).not.toBeNull();
  });
});
