import { setTimeout } from 'node:timers/promises';
import { AccountTools } from '#libs/mcp';
import { AccountTurns, SHORT_WAIT_MS } from '#libs/platform';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { changeConnection } from '../support/connection.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { askManagement } from '../support/management.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';
import { statementsIn } from '../support/statements.js';

const HOUR_MS = 60 * 60_000;
const RUN = { name: 'run_code', arguments: { code: '1 + 1' } };

describe('a message that comes or waits for long (contract: MCP endpoint)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ MANAGEMENT_PORT: '0' }));
  let browser: Browser;
  let client: OAuthClient;
  let token: string;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    ({ access_token: token } = await client.connect(browser, ['code:run']));
  });

  const send = async (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const sent = { type: 'application/json', body, headers };
    const held = await holdBody(gatehouse, new Browser(gatehouse), '/svc/mcp', sent);
    await eventually(async () => {
      const { text } = await askManagement(gatehouse, '/metrics');
      expect(valueOf(parseMetrics(text), 'gatehouse_body_bytes')).toBeGreaterThan(0);
    });
    return held;
  };
  const sendRun = () => send({ method: 'tools/call', params: RUN });
  const used = async () => (await browser.me()).budget?.used;
  const disable = async () =>
    new Admin(gatehouse).text('users', 'disable', (await browser.me()).user?.id ?? '', '--yes');

  const disconnect = async () => {
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
    expect((await browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`)).status).toBe(204);
  };

  it('runs, and is charged', async () => {
    const { status, text } = await (await sendRun()).finish();
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { result: { structuredContent: { value: 2 } } },
    ]);
    expect(await used()).toBeGreaterThan(0);
  });

  it('401 | its app is disconnected meanwhile | nothing runs or is charged', async () => {
    const held = await sendRun();
    await disconnect();
    const { status, text } = await held.finish();
    expect([status, JSON.parse(text)]).toMatchObject([401, { error: 'invalid_token' }]);
    expect(await used()).toBe(0);
  });

  it.each([
    [{ paused: true }, 'has paused this app'],
    [{ permissions: { 'code:run': 'off' }, mayAsk: false }, 'insufficient_scope'],
    [{ dailyCredits: 0 }, "this app's daily budget"],
  ])('its person changes %o meanwhile | nothing runs or is charged', async (change, words) => {
    const held = await sendRun();
    await changeConnection(browser, change);
    expect((await held.finish()).text).toContain(words);
    expect(await used()).toBe(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its token is revoked', () => client.revoke(token)],
    ['its account is disabled', disable],
    [
      'its client is blocked',
      () => new Admin(gatehouse).text('clients', 'block', client.id, '--yes'),
    ],
  ])('401 | %s meanwhile', async (_what, end) => {
    const held = await send({ method: 'tools/list' });
    await end();
    expect((await held.finish()).status).toBe(401);
  });

  itWithClock('401 | its token expires meanwhile', async () => {
    const held = await sendRun();
    advanceClock(HOUR_MS + 1000);
    expect((await held.finish()).status).toBe(401);
  });

  it('401 | its app is disconnected while the tools of pages are looked up for long', async () => {
    const { access_token } = await client.connect(browser, ['tabs:write']);
    const tools = gatehouse.app.get(AccountTools, { strict: false });
    const find = tools.find.bind(tools);
    const lookUp = jest.spyOn(tools, 'find').mockImplementationOnce(async (...args) => {
      await Promise.all([disconnect(), setTimeout(SHORT_WAIT_MS + 5)]);
      return find(...args);
    });
    const call = { name: 'page_of_one', arguments: {} };
    expect((await client.mcp(access_token, 'tools/call', call)).status).toBe(401);
    expect(lookUp).toHaveBeenCalledTimes(1);
    lookUp.mockRestore();
  });

  it('401 | its app is disconnected while it waits for its turn', async () => {
    const turns = gatehouse.app.get(AccountTurns, { strict: false });
    const turn = jest.spyOn(turns, 'take').mockImplementationOnce(async () => {
      await disconnect();
      return SHORT_WAIT_MS + 5;
    });
    expect((await client.mcp(token, 'tools/call', RUN)).status).toBe(401);
    expect(turn).toHaveBeenCalledTimes(1);
    expect(await used()).toBe(0);
    turn.mockRestore();
  });

  it('has its token looked up a second time, one that comes with its head does not', async () => {
    const lookUps = async (work: () => Promise<unknown>) =>
      (await statementsIn(gatehouse, work)).filter((sql) => sql.includes('oauth_tokens'));
    await client.mcp(token);
    const large = { _meta: { 'example.org/large': 'x'.repeat(30_000) } };
    for (const params of [undefined, large]) {
      // On a busy machine a message may wait long for its turn.
      await eventually(async () =>
        expect(await lookUps(() => client.mcp(token, 'ping', params))).toHaveLength(1),
      );
    }
    expect(await lookUps(async () => (await send({ method: 'ping' })).finish())).toHaveLength(2);
  });
});
