import { Controller, Get } from '@nestjs/common';
import { RequireScope } from '#libs/oauth';
import { AuditReader } from '../../apps/server/src/audit/audit-reader.store.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, useReplicas } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { OAuthClient } from '../support/oauth-client.js';
import { admitted, BAD_BODIES, done, guarded } from './guarded-routes.js';
import { bringGuarded, startTeamApp } from './team-app.js';

const ROUTE = '/team/bearer';

/** The refused calls of an account, once there are any. */
const auditRowsIn = ({ app }: Gatehouse, userId = '') =>
  eventually(async () => {
    const { items } = await app.get(AuditReader, { strict: false }).list({
      user: userId,
      type: 'call-refused',
      limit: 9,
    });
    expect(items).not.toEqual([]);
    return items;
  });

describe('a route of a team’s behind a bearer token (contract: MCP endpoint)', () => {
  const [here, there] = useReplicas((replicaOf) => startTeamApp(guarded, {}, replicaOf));
  let browser: Browser;
  let client: OAuthClient;
  let token: string;

  beforeEach(async () => {
    done.length = 0;
    admitted.count = 0;
    browser = new Browser(here);
    await browser.signUp('Ann');
    client = await OAuthClient.register(here);
    ({ access_token: token } = await client.connect(browser, ['account:read']));
  });

  const metadata = () => `${here.origin}/.well-known/oauth-protected-resource/svc/mcp`;
  const send = (method: string, path = ROUTE, body?: string, headers: object = {}) =>
    client.at(there).send(method, path, body, { authorization: `Bearer ${token}`, ...headers });

  it('gets the caller as tools do', async () => {
    const { user } = await browser.me();
    const answer = await send('GET');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        user,
        app: 'Test App',
        grantId: expect.any(String),
        scopes: ['account:read'],
        props: { userId: user?.id, app: 'Test App' },
      },
    ]);
  });

  it('401 | no token, whatever cookie comes | with a challenge', async () => {
    for (const answer of [await browser.get(ROUTE), await browser.post(ROUTE, '{"text":"x"}')]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(
        `Bearer realm="OAuth", resource_metadata="${metadata()}", scope="account:read `,
      );
      expect(answer.json()).toMatchObject({ error: 'unauthorized' });
    }
    expect(done).toEqual([]);
  });

  it.each([
    ['unknown', 401, 'invalid_token', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['malformed', 401, 'invalid_token', { authorization: 'Bearer "x"' }],
    ['of another origin', 401, 'invalid_token', { host: '127.0.0.1' }],
  ])('%s | a token that is %s', async (_what, status, error, headers) => {
    const answer = await send('GET', ROUTE, undefined, headers);
    expect([answer.status, answer.json()]).toEqual([
      status,
      { error, error_description: expect.any(String) },
    ]);
    expect(answer.headers['www-authenticate']).toContain(`error="${error}"`);
  });

  it('400 | a token in header and query', async () => {
    const answer = await send('GET', `${ROUTE}?access_token=${token}`);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_request']);
  });

  it('403 | a scope is missing | names all that are needed, of controller and method', async () => {
    const answer = await send('GET', `${ROUTE}/tabs`);
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: 'insufficient_scope', error_description: expect.stringMatching(/tabs:read/) },
    ]);
    const { user } = await browser.me();
    const [refused] = await auditRowsIn(there, user?.id);
    expect(refused).toMatchObject({ app: 'Test App', clientId: client.id });
    expect(JSON.parse(refused?.facts ?? '')).toEqual({
      reason: answer.json()['error_description'],
    });
    const challenge = answer.headers['www-authenticate'];
    expect(challenge).toContain('scope="account:read tabs:read tabs:write"');
    for (const scopes of [
      ['tabs:read', 'account:read'],
      ['tabs:read', 'tabs:write'],
    ]) {
      ({ access_token: token } = await client.connect(browser, scopes));
      expect((await send('GET', `${ROUTE}/tabs`)).status).toBe(403);
    }
    const all = ['account:read', 'tabs:read', 'tabs:write'];
    ({ access_token: token } = await client.connect(browser, all));
    expect((await send('GET', `${ROUTE}/tabs`)).text).toBe('tabs');
  });

  it('403 | a scope of which each use is asked about, or that is off | at once, with all that were given', async () => {
    const all = ['account:read', 'tabs:read', 'tabs:write'];
    ({ access_token: token } = await client.connect(browser, all));
    const id = await grantId();
    for (const [word, scope] of [
      ['ask', 'account:read tabs:read tabs:write'],
      ['off', 'account:read tabs:read tabs:write'],
    ]) {
      const permissions = { 'tabs:write': word };
      await browser.send('PATCH', `/svc/me/connections/${id}`, { permissions });
      const answer = await send('GET', `${ROUTE}/tabs`);
      expect([answer.status, answer.json()['error']]).toEqual([403, 'insufficient_scope']);
      expect(answer.headers['www-authenticate']).toContain(`scope="${scope}"`);
      expect((await send('GET')).status).toBe(200);
    }
    const permissions = { 'tabs:write': 'allow' };
    await browser.send('PATCH', `/svc/me/connections/${id}`, { permissions });
    expect((await send('GET', `${ROUTE}/tabs`)).text).toBe('tabs');
  });

  it('403 | an app that its person paused | with the reason, until it goes on', async () => {
    const pause = async (paused: boolean) =>
      browser.send('PATCH', `/svc/me/connections/${await grantId()}`, { paused });
    await pause(true);
    for (const answer of [await send('GET'), await send('POST', `${ROUTE}/text`, '{}')]) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('the person who connected it has paused this app');
    }
    expect(done).toEqual([]);
    expect((await client.mcp(token)).status).toBe(200);
    await pause(false);
    expect((await send('GET')).status).toBe(200);
  });

  const ends: [string, () => Promise<unknown>][] = [
    ['revoked', () => client.revoke(token)],
    ['disconnected', async () => browser.send('DELETE', `/svc/me/apps/${await grantId()}`)],
    ['of a disabled account', async () => disable()],
    ['of a blocked client', () => new Admin(here).text('clients', 'block', client.id, '--yes')],
  ];
  const grantId = async () =>
    (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps[0]?.id;
  const disable = async () =>
    new Admin(here).text('users', 'disable', (await browser.me()).user?.id ?? '', '--yes');

  it.each(ends)('401 | a token that is %s | at once, on any replica', async (_how, end) => {
    expect((await send('GET')).status).toBe(200);
    await end();
    const answer = await send('GET');
    expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_token']);
  });

  const late = ends.flatMap(([how, end]) =>
    [ROUTE, `${ROUTE}/bytes`].map((path) => [how, path, end] as const),
  );

  it.each(late)('401 | a token that is %s while the body of %s comes', async (_how, path, end) => {
    const sender = new Browser(here);
    const body = JSON.stringify({ text: 'late' });
    const authorization = `Bearer ${token}`;
    const type = 'application/json';
    const held = await holdBody({ port: there.port, origin: here.origin }, sender, path, {
      type,
      body,
      headers: { authorization },
    });
    await eventually(() => expect(admitted.count).toBe(1));
    await end();
    expect((await held.finish()).status).toBe(401);
    expect(done).toEqual([]);
  });

  it.each(BAD_BODIES)('a body that is %s', async (_what, body, status, text) => {
    const answer = await send('POST', ROUTE, body);
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(done).toEqual([]);
  });

  it('takes a body, an empty one as {}, whatever its type', async () => {
    const answer = await send('POST', ROUTE, '{"text":"hello"}', { 'content-type': 'text/plain' });
    expect([answer.status, answer.json()]).toEqual([201, { text: 'hello' }]);
    expect((await send('POST', ROUTE, '')).json()).toEqual({});
  });

  it('takes what a pipe makes of a body', async () => {
    expect((await send('POST', `${ROUTE}/text`, '{"text":"hello"}')).text).toBe('hello');
    const refused = await send('POST', `${ROUTE}/text`, '{"text":7}');
    expect([refused.status, refused.text]).toEqual([400, 'text has to be a string']);
  });

  it('answers what it throws in its own words', async () => {
    const answer = await send('POST', ROUTE, '{"text":""}');
    expect([answer.status, answer.json()]).toEqual([400, { text: 'is empty' }]);
  });

  it('404 | a method that it does not have, and a page of another site cannot ask', async () => {
    expect((await send('DELETE')).status).toBe(404);
    const origin = 'https://elsewhere.example';
    const headers = { origin, 'access-control-request-method': 'GET' };
    const preflight = await client.send('OPTIONS', ROUTE, undefined, headers);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(done).toEqual([]);
  });

  it('500 | a caller or a user where no guard was', async () => {
    expect((await send('GET', '/team/open/caller')).status).toBe(500);
    expect((await browser.get('/team/open/user')).status).toBe(500);
  });

  it('tells of refused tokens, and whose network they came from', async () => {
    await send('GET', ROUTE, undefined, { authorization: `Bearer ${'y'.repeat(43)}` });
    await eventually(async () => {
      const args = ['audit', 'list', '--type', 'bearer-refused'];
      const { items } = await new Admin(there).json<{ items: object[] }>(...args);
      expect(items).toContainEqual(expect.objectContaining({ network: expect.any(String) }));
    });
  });
});

@Controller('team/misspelt')
class MisspeltController {
  @Get()
  @RequireScope('acount:read')
  read() {
    return 'never';
  }
}

it('a scope that cannot be granted stops the start', async () => {
  await expect(startTeamApp(bringGuarded(MisspeltController))).rejects.toThrow(
    'MisspeltController.read requires the scope "acount:read", which is not one of: account:read,',
  );
});
