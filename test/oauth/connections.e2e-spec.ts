import { DataSource } from 'typeorm';
import { ConnectionReaderService } from '#libs/oauth';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { NOTES, resourcesFile } from '../support/resource-files.js';
import { itWithClock } from '../support/services/describe-with.js';

const CONNECTIONS = '/svc/me/connections';
const DAY = 24 * 60 * 60;
const FRESH_MS = 10 * 60_000;
const ALL = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

interface Connection {
  readonly id: string;
  readonly permissions: Record<string, string>;
  readonly [member: string]: unknown;
}

const inSeconds = () => Math.floor(Date.now() / 1000);

describe('connections (contract: Connections)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(resourcesFile(NOTES)));
  let browser: Browser;
  let client: OAuthClient;
  let tokens: TokenResponse;
  let id: string;

  const list = async (whose = browser) =>
    (await whose.get(CONNECTIONS)).json<{ connections: Connection[] }>().connections;
  const patch = (change: unknown, of = id, whose = browser) =>
    whose.send('PATCH', `${CONNECTIONS}/${of}`, change);
  const changed = async (change: object) => {
    const answer = await patch(change);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json<{ connection: Connection }>().connection;
  };
  const shown = async () =>
    (await browser.get(`${CONNECTIONS}/${id}`)).json<{ connection: Connection }>().connection;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    tokens = await client.connect(browser, ['account:read', 'tabs:write']);
    [{ id } = { id: '' }] = await list();
  });

  it('are listed with what the contract names and nothing else, newest first', async () => {
    const now = inSeconds();
    const notes = await OAuthClient.register(gatehouse, { client_name: 'Notes App' });
    await notes.connect(browser, ['notes:read'], { resource: NOTES.resource });
    const about = {
      id: expect.stringMatching(/^[\w-]{1,128}$/),
      redirectHost: '127.0.0.1',
      published: null,
      managedBy: null,
      mayAsk: true,
      paused: false,
      pausedBy: null,
      dailyCredits: null,
      usedToday: 0,
      endsAt: null,
    };
    const connections = await list();
    expect(connections).toMatchObject([
      {
        ...about,
        app: 'Notes App',
        resource: NOTES.resource,
        resourceName: NOTES.name,
        permissions: { 'notes:read': 'allow', 'notes:write': 'off' },
      },
      {
        ...about,
        app: 'Test App',
        resource: `${gatehouse.origin}/svc/mcp`,
        resourceName: 'Gatehouse',
        permissions: {
          'account:read': 'allow',
          'tabs:read': 'off',
          'tabs:write': 'allow',
          'code:run': 'off',
        },
      },
    ]);
    expect(Object.keys(connections[1]?.permissions ?? {})).toEqual(ALL);
    for (const connection of connections) {
      const times = ['createdAt', 'lastUsedAt', 'expiresAt'];
      const members = [...Object.keys(about), 'app', 'resource', 'resourceName', 'permissions'];
      expect(Object.keys(connection).toSorted()).toEqual([...members, ...times].toSorted());
      expect(connection['createdAt']).toBeGreaterThanOrEqual(now - 60);
      expect(connection['expiresAt']).toBeGreaterThan(now + 29 * DAY);
    }
    expect(await shown()).toEqual(connections[1]);
    const calls = await browser.get(`${CONNECTIONS}/${id}/calls`);
    expect([calls.status, calls.json()]).toMatchObject([200, { calls: [], next: null }]);
  });

  it('401 | not signed in, or a cookie that is not believed | JSON, whatever method, body and id', async () => {
    for (const path of [CONNECTIONS, `${CONNECTIONS}/${id}`, `${CONNECTIONS}/${id}/calls`]) {
      for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
        const body = method.startsWith('P') ? '[' : undefined;
        const answer = await new Browser(gatehouse).send(method, path, body);
        expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
      const foreign = { origin: 'https://evil.example' };
      expect((await browser.send('PATCH', path, '{}', foreign)).status).toBe(401);
    }
  });

  it('405 | with Allow, before body and id', async () => {
    const allowed = async (method: string, path: string) => {
      const answer = await browser.send(method, path, '[');
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      return [answer.status, answer.headers['allow']];
    };
    expect(await allowed('PATCH', CONNECTIONS)).toEqual([405, 'GET']);
    expect(await allowed('PUT', `${CONNECTIONS}/${id}`)).toEqual([405, 'GET, PATCH']);
    expect(await allowed('PATCH', `${CONNECTIONS}/${id}/calls`)).toEqual([405, 'GET']);
    expect(await allowed('POST', `${CONNECTIONS}/${id}/calls`)).toEqual([405, 'GET']);
  });

  it('404 | an id that is unknown, of another account, or of a connection that ended', async () => {
    const other = new Browser(gatehouse);
    await other.signUp('Eve');
    const statuses = async (of: string, whose = browser) => {
      const answers = [
        await whose.get(`${CONNECTIONS}/${of}`),
        await patch({ mayAsk: false }, of, whose),
        await whose.get(`${CONNECTIONS}/${of}/calls`),
      ];
      for (const answer of answers) expect(answer.json()).toEqual({ error: expect.any(String) });
      return answers.map(({ status }) => status);
    };
    expect(await statuses(id, other)).toEqual([404, 404, 404]);
    const encoded = [...id].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    for (const unknown of ['x', `${id}x`, encoded, 'x'.repeat(500)]) {
      expect(await statuses(unknown)).toEqual([404, 404, 404]);
    }
    await browser.send('DELETE', `/svc/me/apps/${id}`);
    expect(await statuses(id)).toEqual([404, 404, 404]);
  });

  it('413 and 400 | the body, before the id', async () => {
    const bodies = ['x'.repeat(16_385), '{', '[]', '{"surprise":1}'];
    const answers = await Promise.all(bodies.map((body) => patch(body, 'unknown')));
    expect(answers.map(({ status }) => status)).toEqual([413, 400, 400, 400]);
  });

  it.each([
    ['an unknown member', { mayAsk: false, app: 'Mine' }],
    ['an unknown word', { mayAsk: false, permissions: { 'tabs:read': 'maybe' } }],
    ['a word of another case', { mayAsk: false, permissions: { 'tabs:read': 'Allow' } }],
    ['a word that is no text', { mayAsk: false, permissions: { 'tabs:read': ['allow'] } }],
    ['an unknown scope', { mayAsk: false, permissions: { 'tabs:reed': 'allow' } }],
    ['a scope of another resource', { mayAsk: false, permissions: { 'notes:read': 'allow' } }],
    ['a list of permissions', { mayAsk: false, permissions: ['allow'] }],
    ['no permissions', { mayAsk: false, permissions: null }],
    ['mayAsk that is no flag', { paused: true, mayAsk: 'no' }],
    ['mayAsk of null', { paused: true, mayAsk: null }],
    ['paused that is no flag', { mayAsk: false, paused: 1 }],
    ['credits below 0', { mayAsk: false, dailyCredits: -1 }],
    ['credits beyond the most', { mayAsk: false, dailyCredits: 1_000_001 }],
    ['part of a credit', { mayAsk: false, dailyCredits: 0.5 }],
    ['credits as text', { mayAsk: false, dailyCredits: '5' }],
    ['an end in the past', { mayAsk: false, endsAt: inSeconds() - 60 }],
    ['an end beyond ten years', { mayAsk: false, endsAt: inSeconds() + 3654 * DAY }],
    ['an end in milliseconds', { mayAsk: false, endsAt: Date.now() + 1000 }],
    ['an end as text', { mayAsk: false, endsAt: '2027-01-01' }],
  ])('400 | %s | nothing changes, and the answer repeats nothing', async (_what, change) => {
    const before = await shown();
    const answer = await patch(change);
    expect([answer.status, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    expect(answer.text).not.toMatch(/reed|Mine|proto|Allow|maybe/);
    expect(await shown()).toEqual(before);
  });

  it('400 | ask | a resource that cannot ask; allow and off are fine', async () => {
    const notes = await OAuthClient.register(gatehouse);
    await notes.connect(browser, ['notes:read'], { resource: NOTES.resource });
    const [{ id: other } = { id: '' }] = await list();
    expect((await patch({ permissions: { 'notes:read': 'ask' } }, other)).status).toBe(400);
    const permissions = { 'notes:read': 'off', 'notes:write': 'allow' };
    expect((await patch({ permissions }, other)).json()).toMatchObject({
      connection: { permissions },
    });
  });

  it('{} changes nothing and is 200; each member by itself leaves the others', async () => {
    const before = await shown();
    expect(await changed({})).toEqual(before);
    const permissions = { 'tabs:write': 'ask', 'code:run': 'allow', 'account:read': 'off' };
    expect(await changed({ permissions })).toEqual({
      ...before,
      permissions: { ...before.permissions, ...permissions },
    });
    await changed({ mayAsk: false });
    await changed({ dailyCredits: 1_000_000 });
    expect(await changed({ paused: true })).toMatchObject({ paused: true, pausedBy: 'person' });
    const endsAt = inSeconds() + 3000 * DAY;
    const expected = { mayAsk: false, dailyCredits: 1_000_000, paused: true, endsAt };
    expect(await changed({ endsAt })).toMatchObject({ ...expected, permissions });
    const back = { mayAsk: true, dailyCredits: null, paused: false, endsAt: null };
    expect(await changed(back)).toMatchObject({ ...back, pausedBy: null, permissions });
  });

  it('parallel changes of different members and scopes all hold', async () => {
    const endsAt = inSeconds() + DAY;
    const changes: object[] = [
      ...ALL.map((scope, n) => ({ permissions: { [scope]: n % 2 ? 'ask' : 'off' } })),
      { mayAsk: false },
      { paused: true },
      { dailyCredits: 7 },
      { endsAt },
    ];
    const answers = await Promise.all(changes.map((change) => patch(change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await shown()).toMatchObject({
      permissions: {
        'account:read': 'off',
        'tabs:read': 'ask',
        'tabs:write': 'off',
        'code:run': 'ask',
      },
      mayAsk: false,
      paused: true,
      dailyCredits: 7,
      endsAt,
      expiresAt: endsAt,
    });
  });

  it('a change is answered also where 32 lists of the account wait to be read', async () => {
    const goOn = Promise.withResolvers<void>();
    const reader = gatehouse.app.get(ConnectionReaderService, { strict: false });
    const [{ userId } = { userId: '' }] = await gatehouse.app
      .get(DataSource)
      .query('SELECT user_id AS "userId" FROM oauth_grants WHERE id = $1', [id]);
    const lists = Array.from({ length: 33 }, () => reader.sum(userId, () => goOn.promise));
    try {
      expect(await changed({ paused: true })).toMatchObject({ id, paused: true });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const { headers } = await browser.post(`/svc/account/apps/${id}`, 'act=resume', form);
      expect(headers.location).toBe(`/svc/account/apps/${id}?message=saved`);
      expect((await browser.get(`${CONNECTIONS}/${id}`)).status).toBe(503);
      const app = await new Admin(gatehouse).json<object>('apps', 'show', id);
      expect(app).toMatchObject({ id, paused: false });
    } finally {
      goOn.resolve();
    }
    await Promise.all(lists);
    expect(await shown()).toMatchObject({ paused: false });
  });

  it('tells the trail and the activity what changed, once, and nothing of what did not', async () => {
    await changed({ permissions: { 'tabs:write': 'ask' }, paused: true });
    await changed({ permissions: { 'tabs:write': 'ask' }, mayAsk: true });
    await eventually(async () => {
      const { events } = (await browser.get('/svc/me/activity')).json<{
        events: { type: string; app: string }[];
      }>();
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'connection-changed', app: 'Test App' }),
      );
    });
    const args = ['audit', 'list', '--type', 'connection-changed', '--client', client.id];
    const { items } = await new Admin(gatehouse).json<{ items: object[] }>(...args);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).toContain('tabs:write=ask, paused=true');
  });

  describe('what the app has', () => {
    const statusOf = async ({ access_token: token }: TokenResponse, of = client) =>
      (await of.mcp(token)).status;
    const refreshed = async ({ refresh_token: token }: TokenResponse, params = {}) => {
      const answer = await client.refresh(token, params);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.json<TokenResponse>();
    };
    const scopesOfApp = async () =>
      (await browser.get('/svc/me/apps')).json<{ apps: { scope: string[] }[] }>().apps[0]?.scope;

    it('a refresh has what is usable now, also when it asks for what is off', async () => {
      const scope = 'account:read tabs:write';
      expect(tokens.scope).toBe(scope);
      await changed({ permissions: { 'tabs:write': 'off' } });
      const second = await refreshed(tokens, { scope });
      expect(second.scope).toBe('account:read');
      await changed({ permissions: { 'tabs:write': 'ask', 'code:run': 'allow' } });
      expect(await scopesOfApp()).toEqual(['account:read', 'tabs:write', 'code:run']);
      const third = await refreshed(second, { scope: 'account:read' });
      expect(third.scope).toBe('account:read code:run');
      const fourth = await refreshed(third);
      expect(fourth.scope).toBe('account:read tabs:write code:run');
      await changed({
        permissions: { 'account:read': 'off', 'tabs:write': 'off', 'code:run': 'off' },
      });
      expect((await refreshed(fourth, { scope })).scope).toBe('');
    });

    it('a refresh leaves out only what was given with the consent', async () => {
      await changed({ permissions: { 'code:run': 'allow' } });
      const second = await refreshed(await refreshed(tokens), { scope: 'account:read' });
      expect(second.scope).toBe('account:read code:run');
      await changed({ permissions: { 'tabs:read': 'allow' } });
      expect((await refreshed(second)).scope).toBe('account:read tabs:read tabs:write code:run');
    });

    it('without any scope the connection stays', async () => {
      await changed({ permissions: { 'account:read': 'off', 'tabs:write': 'off' } });
      const next = await refreshed(tokens);
      expect(next.scope).toBe('');
      expect(await scopesOfApp()).toEqual([]);
      expect(await statusOf(next)).toBe(200);
    });

    it('a scope that was never given is invalid_scope, until it is', async () => {
      const params = { scope: 'account:read tabs:read' };
      const refused = await client.refresh(tokens.refresh_token, params);
      expect([refused.status, refused.json()['error']]).toEqual([400, 'invalid_scope']);
      await changed({ permissions: { 'tabs:read': 'off' } });
      expect((await client.refresh(tokens.refresh_token, params)).status).toBe(400);
      await changed({ permissions: { 'tabs:read': 'allow' } });
      expect((await refreshed(tokens, params)).scope).toBe('account:read tabs:read');
    });

    it('an exchange has what is usable then', async () => {
      const other = await OAuthClient.register(gatehouse);
      const code = await other.authorize(browser, ['account:read', 'tabs:read']);
      const [{ id: of } = { id: '' }] = await list();
      await patch({ permissions: { 'tabs:read': 'off', 'code:run': 'ask' } }, of);
      const answer = (await other.exchange(code)).json<TokenResponse>();
      expect(answer.scope).toBe('account:read code:run');
    });

    it('endsAt ends the grant with its tokens; expires_in says so, and a later end gives time back', async () => {
      const before = (await shown())['expiresAt'];
      const endsAt = inSeconds() + 600;
      expect(await changed({ endsAt })).toMatchObject({ endsAt, expiresAt: endsAt });
      const next = await refreshed(tokens);
      expect(next.expires_in).toBeLessThanOrEqual(600);
      expect(next.expires_in).toBeGreaterThan(500);
      expect(await shown()).toMatchObject({ endsAt, expiresAt: endsAt });
      const { expiresAt } = await changed({ endsAt: null });
      expect(expiresAt).toBeGreaterThanOrEqual(Number(before));
      expect((await refreshed(next)).expires_in).toBe(3600);
      await changed({ endsAt: inSeconds() });
      expect(await statusOf(next)).toBe(401);
      expect(await list()).toEqual([]);
    });

    itWithClock('an end that has come is no connection any more', async () => {
      const endsAt = inSeconds() + 60;
      await changed({ endsAt });
      advanceClock(55_000);
      expect(await statusOf(tokens)).toBe(200);
      advanceClock(endsAt * 1000 - Date.now());
      expect(await statusOf(tokens)).toBe(401);
      expect((await client.refresh(tokens.refresh_token)).json()['error']).toBe('invalid_grant');
      expect((await patch({ endsAt: null })).status).toBe(404);
    });

    it('a refresh goes on while it is paused', async () => {
      await changed({ paused: true });
      expect(await statusOf(await refreshed(tokens))).toBe(200);
    });

    it('changes beside refreshes, exchanges and disconnections lose nothing and end nothing', async () => {
      const endsAt = inSeconds() + DAY;
      const changes = [
        { permissions: { 'tabs:write': 'off' } },
        { endsAt },
        { mayAsk: false },
        { permissions: { 'code:run': 'ask' } },
      ];
      const refreshes = Array.from({ length: 6 }, () => client.refresh(tokens.refresh_token));
      const [patches, answers] = await Promise.all([
        Promise.all(changes.map((change) => patch(change))),
        Promise.all(refreshes),
      ]);
      expect(patches.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.map(({ status }) => status)).toEqual(refreshes.map(() => 200));
      expect(await shown()).toMatchObject({
        permissions: { 'tabs:write': 'off', 'code:run': 'ask' },
        mayAsk: false,
        endsAt,
        expiresAt: endsAt,
      });
      const [last] = answers.map((answer) => answer.json<TokenResponse>());
      const next = await client.refresh(last?.refresh_token ?? '');
      expect(next.json<TokenResponse>().scope).toBe('account:read code:run');
      const [disconnected, ...rest] = await Promise.all([
        browser.send('DELETE', `/svc/me/apps/${id}`),
        ...changes.map((change) => patch(change)),
      ]);
      expect(disconnected.status).toBe(204);
      expect(rest.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
      expect(await list()).toEqual([]);
      expect((await client.refresh(next.json<TokenResponse>().refresh_token)).status).toBe(400);
    });
  });

  it('a consent with ask gives that permission to chosen scopes that change something, and to no other', async () => {
    const other = await OAuthClient.register(gatehouse);
    const boxes = async (params = {}) => {
      const { text } = await browser.get(other.authorizePath(params));
      return [...text.matchAll(/name="ask" value="([^"]+)"/g)].map(([, scope]) => scope);
    };
    expect(await boxes()).toEqual(['tabs:write', 'code:run']);
    expect(await boxes({ resource: NOTES.resource })).toEqual([]);
    const consent = async (scopes: string[], ask: string[], resource?: string) => {
      const handle = await other.showConsent(browser, { resource });
      const form = new URLSearchParams({ handle, decision: 'approve' });
      for (const scope of scopes) form.append('scope', scope);
      for (const scope of ask) form.append('ask', scope);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await browser.post('/svc/oauth/authorize', form.toString(), type)).status).toBe(302);
      return (await list())[0]?.permissions;
    };
    const scopes = ['account:read', 'code:run'];
    const ask = ['code:run', 'tabs:write', 'account:read', 'no:scope', 'notes:write'];
    expect(await consent(scopes, ask)).toEqual({
      'account:read': 'allow',
      'tabs:read': 'off',
      'tabs:write': 'off',
      'code:run': 'ask',
    });
    const notes = await consent(['notes:write'], ['notes:write'], NOTES.resource);
    expect(notes).toEqual({ 'notes:read': 'off', 'notes:write': 'allow' });
  });
});

describe('429 | PATCH | more changes than a session may make (contract: Connections)', () => {
  const limits = { RATE_LIMIT_MAX: '8', RATE_LIMIT_PERIOD: '3600' };
  const gatehouse = useGatehouse(() => startGatehouse(limits));

  it('comes before the body and the id; reading goes on', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const change = (body: string) => browser.send('PATCH', `${CONNECTIONS}/x`, body);
    for (let n = 0; n < 8; n += 1) expect((await change('{}')).status).toBe(404);
    const answer = await change('[');
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
    expect((await browser.get(CONNECTIONS)).status).toBe(200);
  });
});

describe('APPROVALS=passkey (contract: Connections)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ APPROVALS: 'passkey' }));

  itWithClock('403 | what lets an app do more | a session that is not fresh', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    await client.connect(browser, ['account:read', 'tabs:write']);
    const { connections } = (await browser.get(CONNECTIONS)).json<{ connections: Connection[] }>();
    const path = `${CONNECTIONS}/${connections[0]?.id}`;
    const patch = async (change: object) => {
      const answer = await browser.send('PATCH', path, change);
      return answer.status === 200 ? 200 : [answer.status, answer.json()['reason']];
    };
    const day = (n: number) => inSeconds() + n * DAY;
    const NARROWER = [
      { permissions: { 'account:read': 'off', 'tabs:write': 'ask' } },
      { mayAsk: false },
      { paused: true },
      { dailyCredits: 10 },
      { dailyCredits: 9 },
      { endsAt: day(5) },
      { endsAt: day(4) },
    ];
    const WIDER = [
      { permissions: { 'tabs:write': 'allow' } },
      { permissions: { 'account:read': 'ask' } },
      { permissions: { 'code:run': 'ask' } },
      { permissions: { 'tabs:write': 'off', 'tabs:read': 'allow' } },
      { mayAsk: true },
      { paused: false },
      { dailyCredits: 10 },
      { dailyCredits: null },
      { endsAt: day(9) },
      { endsAt: null },
    ];
    advanceClock(FRESH_MS + 1);
    for (const change of NARROWER) expect([change, await patch(change)]).toEqual([change, 200]);
    const before = (await browser.get(path)).json();
    for (const change of WIDER) {
      expect([change, await patch(change)]).toEqual([change, [403, 'sign_in_again']]);
    }
    expect((await browser.get(path)).json()).toEqual(before);
    expect(await patch({ permissions: { 'notes:read': 'allow' } })).toEqual([400, undefined]);
    await browser.signIn();
    for (const change of WIDER) expect([change, await patch(change)]).toEqual([change, 200]);
  });

  itWithClock(
    'sign-in before a consent form, or 403 after it | a session that is not fresh',
    async () => {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      const client = await OAuthClient.register(gatehouse);
      const handle = await client.showConsent(browser);
      advanceClock(FRESH_MS - 60_000);
      expect((await client.answerConsent(browser, handle, ['tabs:write'])).status).toBe(302);
      const late = await client.showConsent(browser);
      advanceClock(120_000);
      const refused = await client.answerConsent(browser, late, ['tabs:write']);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('too old')]);
      const page = await browser.get(client.authorizePath());
      expect([page.status, page.text.includes('name="handle"')]).toEqual([200, false]);
      expect(page.text).toContain('Sign in');
      await browser.signIn();
      await client.connect(browser, ['tabs:write']);
    },
  );
});
