import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { Receiver } from './receiver.js';

const count = async ({ app }: Gatehouse, table: string) => {
  const [row] = await app.get(DataSource).query(`SELECT COUNT(*) AS n FROM ${table}`);
  return Number(row.n);
};

/** What waits for another attempt need not wait any longer. */
const hasten = ({ app }: Gatehouse) =>
  app.get(DataSource).query('UPDATE outbox_queues SET due_at = 1 WHERE claim IS NULL');

describe('events to a webhook (contract: Delivered events)', () => {
  let receiver: Receiver;
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;
  let userId: string;

  const types = (...expected: string[]) =>
    eventually(() => expect(receiver.typesOf(userId)).toEqual(expected));

  beforeAll(async () => {
    receiver = await Receiver.start();
    here = await startGatehouse(receiver.variables);
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
      await hasten(here);
      expect(receiver.typesOf(userId)).toEqual(['sign-up', 'account-deleted']);
    });
    expect(JSON.stringify(receiver.of(userId))).not.toContain('Ann');
  });

  it('of one account wait for its first, which is refused, and nobody else does', async () => {
    const refused = userId;
    receiver.answers(({ event }, response) => {
      response.writeHead(event.data.user === refused ? 400 : 200).end();
    });
    await browser.post('/svc/auth/logout');
    await browser.signIn();
    const other = new Browser(there);
    userId = (await other.signUp()).json<{ user: { id: string } }>().user.id;
    await types('sign-up');
    expect(receiver.typesOf(refused)).toEqual(['sign-up']);
    const tried = receiver.asked.filter(({ event }) => event.data.user === refused);
    expect(new Set(tried.slice(1).map(({ event }) => event.type))).toEqual(new Set(['sign-out']));
    expect(new Set(tried.slice(1).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.answers();
    await eventually(async () => {
      await hasten(here);
      expect(receiver.typesOf(refused)).toEqual(['sign-up', 'sign-out', 'sign-in']);
    });
  });

  it('that are repeated without end come again with a higher count', async () => {
    const rename = (displayName: string) => browser.send('PATCH', '/svc/me', { displayName });
    await rename('Bea');
    await rename('Cid');
    await eventually(() => expect(receiver.typesOf(userId)).toHaveLength(3));
    const [first, second] = receiver.of(userId).slice(1);
    expect([first?.data.count, second?.data.count]).toEqual([1, 2]);
    expect(second?.data.id).toBe(first?.id);
    expect(second?.id).toBe(`${first?.id}-2`);
  });

  it('a redirect is no way to another address', async () => {
    const elsewhere = await Receiver.start();
    receiver.answers((_delivery, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/hook` }).end();
    });
    const before = receiver.asked.length;
    await browser.post('/svc/auth/logout');
    await eventually(() => expect(receiver.asked.length).toBeGreaterThan(before));
    receiver.answers();
    await eventually(async () => {
      await hasten(here);
      expect(receiver.typesOf(userId)).toEqual(['sign-up', 'sign-out']);
    });
    expect(elsewhere.asked).toEqual([]);
    elsewhere.stop();
  });

  it('a receiver that hangs keeps nobody waiting who uses the service', async () => {
    const held: (() => void)[] = [];
    receiver.answers((_delivery, response) => held.push(() => response.writeHead(204).end()));
    const people = Array.from({ length: 20 }, () => new Browser(here));
    const answers = await Promise.all(people.map((person) => person.signUp()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await browser.me()).user?.id).toBe(userId);
    receiver.answers();
    for (const end of held) end();
    await eventually(async () => {
      await hasten(here);
      expect(await count(here, 'outbox_events')).toBe(0);
      expect(await count(here, 'outbox_queues')).toBe(0);
    });
  });
});

describe('without EVENTS_WEBHOOK_URL (contract: Delivered events)', () => {
  it('nothing is kept for anybody', async () => {
    const gatehouse = await startGatehouse();
    await new Browser(gatehouse).signUp();
    await eventually(async () => expect(await count(gatehouse, 'audit_events')).toBe(1));
    expect(await count(gatehouse, 'outbox_events')).toBe(0);
    expect(await count(gatehouse, 'outbox_queues')).toBe(0);
    await gatehouse.stop();
  });
});
