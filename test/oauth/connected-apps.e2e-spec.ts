import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const APPS = '/svc/me/apps';
const MINUTE = 60 * 1000;

interface Apps {
  apps: { id: string; app: string; createdAt: number; expiresAt: number }[];
}

describe('connected apps (contract: Connected apps)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  const list = async (whose = browser) => (await whose.get(APPS)).json<Apps>().apps;
  const disconnect = (id: string, whose = browser) => whose.send('DELETE', `${APPS}/${id}`);

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
  });

  it.each([APPS, `${APPS}/x`, `${APPS}/%`])(
    '401 | %s | not signed in | JSON { error }, whatever the method',
    async (path) => {
      for (const method of ['GET', 'DELETE', 'POST', 'OPTIONS']) {
        const answer = await new Browser(gatehouse).send(method, path);
        expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it('401 for a cookie that is not believed', async () => {
    await browser.agent.get(APPS).set({ origin: 'https://evil.example' }).expect(401);
  });

  it('lists the record of the contract and nothing else', async () => {
    expect(await list()).toEqual([]);
    const before = Math.floor(Date.now() / 1000);
    await client.connect(browser, ['tabs:read', 'account:read']);
    expect(await list()).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{1,128}$/),
        app: 'Test App',
        redirectHost: '127.0.0.1',
        published: null,
        scope: ['account:read', 'tabs:read'],
        createdAt: expect.any(Number),
        expiresAt: expect.any(Number),
      },
    ]);
    const [app] = await list();
    expect(app?.createdAt).toBeGreaterThanOrEqual(before);
    expect(app?.expiresAt).toBeGreaterThanOrEqual(before + 30 * 24 * 3600);
  });

  itWithClock(
    'lists an app from the consent on; one never exchanged disappears with its code',
    async () => {
      await client.authorize(browser);
      advanceClock(9 * MINUTE);
      expect(await list()).toHaveLength(1);
      advanceClock(MINUTE);
      expect(await list()).toEqual([]);
    },
  );

  itWithClock('lists newest first, and only what is the user’s own', async () => {
    const other = new Browser(gatehouse);
    await other.signUp('Eve');
    await client.connect(other);
    for (const name of ['One', 'Two', 'Three']) {
      advanceClock(MINUTE);
      await (await OAuthClient.register(gatehouse, { client_name: name })).connect(browser);
    }
    expect((await list()).map(({ app }) => app)).toEqual(['Three', 'Two', 'One']);
    expect((await list(other)).map(({ app }) => app)).toEqual(['Test App']);
  });

  it('a registered client that connects again replaces its older grant', async () => {
    const older = await client.connect(browser);
    const newer = await client.connect(browser);
    expect(await list()).toHaveLength(1);
    expect((await client.mcp(older.access_token)).status).toBe(401);
    expect((await client.mcp(newer.access_token)).status).toBe(200);
  });

  it('a registered client that authorizes and does not finish ends nothing', async () => {
    const older = await client.connect(browser);
    const [abandoned, finished] = [
      await client.authorize(browser),
      await client.authorize(browser),
    ];
    expect((await client.mcp(older.access_token)).status).toBe(200);
    expect((await client.refresh(older.refresh_token)).status).toBe(200);
    const newer = (await client.exchange(finished)).json<TokenResponse>();
    expect((await client.mcp(older.access_token)).status).toBe(401);
    // Of two codes the one that is exchanged last wins, whichever was given first.
    const last = (await client.exchange(abandoned)).json<TokenResponse>();
    expect((await client.mcp(newer.access_token)).status).toBe(401);
    expect((await client.mcp(last.access_token)).status).toBe(200);
    expect(await list()).toHaveLength(1);
  });

  it('of exchanges at once exactly one grant stays, and its tokens are good', async () => {
    const codes = [];
    for (let n = 0; n < 8; n += 1) codes.push(await client.authorize(browser));
    const exchanges = await Promise.all(codes.map((code) => client.exchange(code)));
    expect(await list()).toHaveLength(1);
    const tokens = exchanges.map((answer) => answer.json<TokenResponse>().access_token);
    const calls = await Promise.all(tokens.map((token) => client.mcp(token)));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('DELETE ends access tokens, refresh tokens, codes and pending consents at once', async () => {
    const tokens = await client.connect(browser);
    const pending = await client.showConsent(browser);
    const [app] = await list();
    const answer = await disconnect(app?.id ?? '');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client.mcp(tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).json()['error']).toBe('invalid_grant');
    expect((await client.answerConsent(browser, pending, ['account:read'])).status).toBe(400);
    expect(await list()).toEqual([]);
    expect((await disconnect(app?.id ?? '')).status).toBe(404);
  });

  it('DELETE ends the codes of the client that were not exchanged yet, and no other grant', async () => {
    const other = await OAuthClient.register(gatehouse, { client_name: 'Other' });
    const [waiting, used] = [await other.authorize(browser), await client.connect(browser)];
    const codes = [await client.authorize(browser), await client.authorize(browser)];
    const inUse = (await list()).findLast(({ app }) => app === 'Test App');
    expect((await disconnect(inUse?.id ?? '')).status).toBe(204);
    expect((await client.mcp(used.access_token)).status).toBe(401);
    for (const code of codes) {
      expect((await client.exchange(code)).json()['error']).toBe('invalid_grant');
    }
    expect((await list()).map(({ app }) => app)).toEqual(['Other']);
    expect((await other.exchange(waiting)).status).toBe(200);
  });

  it('authorizations that are not finished hide no app in use', async () => {
    await client.connect(browser);
    const other = await OAuthClient.register(gatehouse, { client_name: 'Other' });
    for (let n = 0; n < 101; n += 1) await other.authorize(browser);
    const apps = await list();
    expect(apps).toHaveLength(100);
    expect(apps.at(-1)?.app).toBe('Test App');
    expect((await disconnect(apps.at(-1)?.id ?? '')).status).toBe(204);
  });

  it('DELETE ends a code that was not exchanged yet', async () => {
    const code = await client.authorize(browser);
    const [app] = await list();
    expect((await disconnect(app?.id ?? '')).status).toBe(204);
    expect((await client.exchange(code)).json()['error']).toBe('invalid_grant');
  });

  it.each(['x'.repeat(128), 'x'.repeat(129), '', '%', 'a/b'])(
    '404 | DELETE /svc/me/apps/<id> | malformed id or not the user’s grant | "%s"',
    async (id) => {
      const answer = await disconnect(id);
      expect([answer.status, answer.text]).toEqual([404, 'no such app']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    },
  );

  it('404 for the app of another user, which goes on', async () => {
    const tokens = await client.connect(browser);
    const [app] = await list();
    const other = new Browser(gatehouse);
    await other.signUp('Eve');
    expect((await disconnect(app?.id ?? '', other)).status).toBe(404);
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
  });

  it.each([
    ['POST', APPS, 'GET'],
    ['DELETE', APPS, 'GET'],
    ['HEAD', APPS, 'GET'],
    ['GET', `${APPS}/x`, 'DELETE'],
    ['POST', `${APPS}/x`, 'DELETE'],
  ])('405 | %s %s | plain text naming the allowed method', async (method, path, allowed) => {
    const answer = await browser.send(method, path);
    expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
    if (method !== 'HEAD') expect(answer.text).toContain(allowed);
  });

  it('of 32 parallel disconnects one succeeds, and no refresh outlives it', async () => {
    const tokens = await client.connect(browser);
    const [app] = await list();
    const refreshes = Array.from({ length: 16 }, () => client.refresh(tokens.refresh_token));
    const answers = await Promise.all(Array.from({ length: 32 }, () => disconnect(app?.id ?? '')));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const refreshed of await Promise.all(refreshes)) {
      if (refreshed.status !== 200) continue;
      const { access_token: token } = refreshed.json<{ access_token: string }>();
      expect((await client.mcp(token)).status).toBe(401);
    }
  });
});
