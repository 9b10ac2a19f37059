import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { jest } from '@jest/globals';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { TabClient } from '../support/tab-client.js';

const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];
const isToldAtOnce = globalThis.STORAGE !== 'embedded';
const when = isToldAtOnce ? 'at once' : 'within 30 seconds';

describe('what administration ends, on every replica (contract: Administration)', () => {
  let replicas: readonly [Gatehouse, Gatehouse];
  let admin: Admin;
  let ann: Browser;
  let bob: Browser;
  let id: string;

  /** A call on its way, as long as its grant goes on. */
  function openCall({ port }: Gatehouse, token: string): ClientRequest {
    const call = request(`http://localhost:${port}/svc/mcp`, {
      method: 'POST',
      headers: {
        host: new URL(replicas[0].origin).host,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': '2',
      },
    });
    call.on('error', () => undefined).write('{');
    return call;
  }

  const openTabs = (browser: Browser) =>
    Promise.all(
      replicas.map((replica) =>
        TabClient.open({ ...replica, origin: replicas[0].origin }, browser),
      ),
    );
  const halfAMinute = () => jest.advanceTimersByTimeAsync(30_000);

  beforeAll(async () => {
    jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
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
    jest.useRealTimers();
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
      if (!isToldAtOnce) await halfAMinute();
      for (const tab of tabs) expect((await tab.closed).code).toBe(4401);
      expect((await ann.me()).user).toBeNull();
      for (const other of others) {
        other.say('ping', 'still here');
        await other.next('pong');
        await other.close();
      }
    },
  );

  it.each([
    ['the account is disabled', () => ['users', 'disable', id]],
    ['the account is deleted', () => ['users', 'delete', id]],
    ['the app is revoked', (_client: string, app: string) => ['apps', 'revoke', app]],
    ['the client is blocked', (client: string) => ['clients', 'block', client]],
    ['the client is deleted', (client: string) => ['clients', 'delete', client]],
  ])('within 30 seconds: calls and streams of an app end when %s', async (_what, command) => {
    const client = await OAuthClient.register(replicas[0]);
    const { access_token: token } = await client.connect(ann);
    const { access_token: kept } = await client.connect(bob);
    const other = await OAuthClient.register(replicas[0]);
    const beside = (await other.connect(bob)).access_token;
    const [app] = (await ann.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps;
    const calls = replicas.map((replica) => openCall(replica, token));
    const goesOn = replicas.map((replica) => openCall(replica, beside));
    expect((await client.mcp(kept)).status).toBe(200);

    const args = command(client.id, app?.id ?? '');
    await admin.text(...args, '--yes');
    await eventually(async () => {
      await halfAMinute();
      expect(calls.map(({ closed }) => closed)).toEqual([true, true]);
    });
    for (const call of goesOn) {
      call.end('}');
      const [answer] = await once(call, 'response');
      answer.resume();
      expect(answer.statusCode).toBe(400);
    }
  });
});
