import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { Receiver } from './receiver.js';

describe('events to a webhook (contract: Delivered events)', () => {
  let receiver: Receiver;
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;
  let userId: string;

  /** Makes events that wait for another attempt due now. */
  const hasten = () => new AdminApi(here).json('POST', 'events/retry');

  const types = (...expected: string[]) =>
    eventually(() => expect(receiver.typesOf(userId)).toEqual(expected));

  beforeAll(async () => {
    receiver = await Receiver.start();
    here = await startAdministered(receiver.variables);
    there = await startGatehouse(receiver.variables, here);
  });
  beforeEach(async () => {
    receiver.answers();
    browser = new Browser(here);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
    await types('sign-up');
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
    receiver.stop();
  });

  it('come with what the audit trail says of them, signed, and once', async () => {
    const client = await OAuthClient.register(here);
    await client.connect(browser);
    await types('sign-up', 'consent-approved', 'code-exchanged');
    const [signUp, consent] = receiver.of(userId);
    expect(signUp).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      type: 'sign-up',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        id: signUp?.id,
        user: userId,
        client: null,
        app: null,
        grant: null,
        browser: null,
        origin: here.origin,
        actor: null,
        detail: null,
        count: 1,
        lastAt: null,
        credits: null,
        durationMs: null,
        network: null,
        request: expect.any(String),
        invite: null,
        host: null,
        event: null,
        limit: null,
        tool: null,
        outcome: null,
        reason: null,
        kind: null,
        name: null,
        title: null,
        page: null,
        pageTitle: null,
        approved: null,
        passkey: null,
        changed: null,
      },
    });
    expect(consent?.data).toMatchObject({ app: 'Test App', grant: expect.any(String) });
    const registered = receiver.of(null).find(({ data }) => data.client === consent?.data.client);
    expect(registered).toMatchObject({ type: 'client-registered' });
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(receiver.taken.length);
  });

  it('come in order from whichever replica they happened on', async () => {
    const elsewhere = browser.at(there);
    elsewhere.cookie = browser.cookie;
    const expected = ['sign-up'];
    for (let n = 0; n < 6; n += 1) {
      const at = n % 2 === 0 ? elsewhere : browser;
      at.cookie = n % 2 === 0 ? browser.cookie : elsewhere.cookie;
      await at.post('/svc/auth/logout');
      await at.signIn();
      expected.push('sign-out', 'sign-in');
      await types(...expected);
    }
  });

  it('of an account that is deleted come to the end, with its id alone', async () => {
    receiver.answers((_delivery, response) => void response.writeHead(500).end());
    await browser.send('DELETE', '/svc/me');
    await eventually(() => expect(receiver.asked.at(-1)?.event.type).toBe('account-deleted'));
    receiver.answers();
    await eventually(async () => {
      await hasten();
      expect(receiver.typesOf(userId)).toEqual(['sign-up', 'account-deleted']);
    });
    expect(JSON.stringify(receiver.of(userId))).not.toContain('Ann');
  });

  it('say in members of their own what they are about', async () => {
    const admin = new AdminApi(here);
    const { id } = await admin.json<{ id: string }>('POST', 'invites', {});
    await admin.json('PUT', `budgets/${userId}`, { credits: 7 });
    await admin.json('POST', 'redirect-hosts/bad.example/block');
    const client = await OAuthClient.register(here);
    const { access_token: token } = await client.connect(browser);
    await client.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    await client.mcp('unknown', 'tools/list', {});
    const about = async (type: string, user: string | null, members: object) =>
      eventually(() => {
        const told = receiver.of(user).filter((event) => event.type === type);
        expect(told.map(({ data }) => data)).toContainEqual(expect.objectContaining(members));
      });
    await about('invite-created', null, { invite: id, detail: `invite ${id}`, reason: null });
    await about('budget-set', userId, { limit: 7, detail: '7', invite: null });
    await about('redirect-host-blocked', null, { host: 'bad.example', detail: 'bad.example' });
    await about('tool-called', userId, { tool: 'account_status', outcome: 'done' });
    await about('bearer-refused', null, { reason: expect.any(String) });
  });
});

describe('without EVENTS_WEBHOOK_URL (contract: Delivered events)', () => {
  it('nothing waits for a receiver', async () => {
    const gatehouse = await startAdministered();
    const api = new AdminApi(gatehouse);
    const itemsOf = async (path: string) =>
      (await api.json<{ items: object[] }>('GET', path)).items.length;
    await new Browser(gatehouse).signUp();
    await eventually(async () => expect(await itemsOf('audit?type=sign-up')).toBe(1));
    expect(await itemsOf('events?state=waiting')).toBe(0);
    await gatehouse.stop();
  });
});
