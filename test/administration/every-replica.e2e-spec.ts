import { request } from 'node:http';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';
import { TabClient } from '../support/tab-client.js';

const LISTEN = {
  jsonrpc: '2.0',
  id: 'listen',
  method: 'subscriptions/listen',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
    notifications: { toolsListChanged: true },
  },
};
const isToldAtOnce = globalThis.STORAGE !== 'embedded';
const when = isToldAtOnce ? 'at once' : 'within 30 seconds';

describe('what administration ends, on every replica (contract: Administration)', () => {
  let replicas: readonly [Gatehouse, Gatehouse];
  let admin: Admin;
  let ann: Browser;
  let bob: Browser;
  let id: string;

  /** An answer of /svc/mcp that stays open: a stream without requests. */
  async function openStream({ port }: Gatehouse, token: string) {
    const body = JSON.stringify(LISTEN);
    const asking = request(`http://localhost:${port}/svc/mcp`, {
      method: 'POST',
      headers: {
        host: new URL(replicas[0].origin).host,
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
    });
    const stream = { text: '', isOpen: true };
    asking.on('response', (answer) => {
      answer.on('data', (chunk: Buffer) => (stream.text += chunk.toString()));
      answer.on('error', () => undefined).on('close', () => (stream.isOpen = false));
    });
    asking.on('error', () => (stream.isOpen = false)).end(body);
    await eventually(() => expect(stream.text).toContain('acknowledged'));
    return stream;
  }

  const openTabs = (browser: Browser) =>
    Promise.all(
      replicas.map((replica) =>
        TabClient.open({ ...replica, origin: replicas[0].origin }, browser),
      ),
    );

  beforeAll(async () => {
    beginRounds();
    const first = await startGatehouse();
    replicas = [first, await startGatehouse({}, first)];
    admin = new Admin(first);
  });
  beforeEach(async () => {
    [ann, bob] = [new Browser(replicas[0]), new Browser(replicas[0])];
    id = (await ann.signUp()).json<{ user: { id: string } }>().user.id;
    await bob.signUp('Bob');
  });
  afterAll(async () => {
    for (const replica of replicas.toReversed()) await replica.stop();
    endRounds();
  });

  const link = async () => {
    const { link: printed } = await admin.json<{ link: string }>('users', 'recover', id);
    await new Browser(replicas[0]).post('/svc/recovery', { code: new URL(printed).hash.slice(1) });
  };

  it.each([
    ['signed out', () => admin.text('users', 'sign-out', id, '--yes')],
    ['disabled', () => admin.text('users', 'disable', id, '--yes')],
    ['recovered by a link', link],
    ['deleted', () => admin.text('users', 'delete', id, '--yes')],
  ])(
    `${when}: tabs of an account that is %s close with 4401, and no others`,
    async (_what, act) => {
      const [tabs, others] = [await openTabs(ann), await openTabs(bob)];
      await act();
      const codes: number[] = [];
      for (const tab of tabs) void tab.closed.then(({ code }) => codes.push(code));
      const areClosed = () => expect(codes).toEqual([4401, 4401]);
      await (isToldAtOnce ? eventually(areClosed) : afterRounds(areClosed));
      expect((await ann.me()).user).toBeNull();
      for (const other of others) {
        other.say('ping', 'still here');
        await other.next('pong');
        await other.close();
      }
    },
  );

  it('a paused app: calls that wait for their person end on every replica, and open tabs hear of it at once with Redis', async () => {
    const client = await OAuthClient.register(replicas[0]);
    const { access_token: token } = await client.connect(ann);
    const [app] = (await ann.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps;
    const tabs = await openTabs(ann);
    const list = { name: 'list_tabs', arguments: {} };
    const waiting = replicas.map((replica) => client.at(replica).mcp(token, 'tools/call', list));
    const told = (count: number) =>
      tabs.map(async (tab) =>
        eventually(() =>
          expect(tab.received('requests').at(-1)?.data['requests']).toHaveLength(count),
        ),
      );
    const open = async () =>
      (await ann.get('/svc/me/requests')).json<{ requests: object[] }>().requests;
    await eventually(async () => expect(await open()).toHaveLength(1));
    if (isToldAtOnce) await Promise.all(told(1));
    await admin.text('apps', 'set', app?.id ?? '', '--pause');
    for (const answer of await Promise.all(waiting))
      expect(answer.text).toContain('"isError":true');
    if (isToldAtOnce) await Promise.all(told(0));
    await Promise.all(tabs.map((tab) => tab.close()));
  });

  it.each([
    ['the account is disabled', () => ['users', 'disable', id]],
    ['the account is deleted', () => ['users', 'delete', id]],
    ['the app is revoked', (_client: string, app: string) => ['apps', 'revoke', app]],
    ['the client is blocked', (client: string) => ['clients', 'block', client]],
    ['the client is deleted', (client: string) => ['clients', 'delete', client]],
  ])('within 30 seconds: open answers of an app end when %s, and no others', async (_what, act) => {
    const client = await OAuthClient.register(replicas[0]);
    const { access_token: token } = await client.connect(ann);
    const other = await OAuthClient.register(replicas[0]);
    const { access_token: beside } = await other.connect(bob, ['tabs:read', 'tabs:write']);
    const [app] = (await ann.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps;
    const ending = await Promise.all(replicas.map((replica) => openStream(replica, token)));
    const going = await Promise.all(replicas.map((replica) => openStream(replica, beside)));

    await admin.text(...act(client.id, app?.id ?? ''), '--yes');
    await afterRounds(() => expect(ending.map(({ isOpen }) => isOpen)).toEqual([false, false]));
    const tabs = await openTabs(bob);
    for (const tab of tabs) tab.say('tools', { tools: [{ name: 'hum', description: 'Hums.' }] });
    await eventually(() => {
      for (const { text } of going) expect(text).toContain('notifications/tools/list_changed');
    });
    await Promise.all(tabs.map((tab) => tab.close()));
  });
});
