import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { itWithClock } from '../support/services/describe-with.js';
import { beforeNextTransaction } from '../support/transactions.js';
import { FRESH_MS } from './own-account.js';

const CODES = '/svc/me/recovery-codes';
const DAY_MS = 24 * 60 * 60_000;

describe('recovery codes (contract: Recovery)', () => {
  const gatehouse = useGatehouse();
  let ann: Browser;

  const create = async (browser = ann) =>
    (await browser.post(CODES, {})).json<{ codes: string[] }>().codes;
  const state = async (browser = ann) => (await browser.get(CODES)).json();

  beforeEach(async () => {
    ann = new Browser(gatehouse);
    await ann.signUp();
  });

  it('POST: ten codes of 120 bits, shown once', async () => {
    const answer = await ann.post(CODES, {});
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { codes, ...more } = answer.json<{ codes: string[] }>();
    expect(more).toEqual({});
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){6}$/);
  });

  it('GET: how many are left and since when, for this account alone', async () => {
    const answer = await ann.get(CODES);
    expect([answer.status, answer.json()]).toEqual([200, { left: 0, createdAt: null }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const before = Math.floor(Date.now() / 1000);
    const [code = ''] = await create();
    const { left, createdAt } = await state();
    expect(left).toBe(10);
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    await new Browser(gatehouse).post('/svc/recovery', { code });
    await ann.signIn();
    expect(await state()).toEqual({ left: 9, createdAt });
    const bob = new Browser(gatehouse);
    await bob.signUp('Bob');
    expect(await state(bob)).toEqual({ left: 0, createdAt: null });
  });

  it('POST again: the older ones are no longer valid', async () => {
    const [older = ''] = await create();
    const [newer = ''] = await create();
    const lost = new Browser(gatehouse);
    expect((await lost.post('/svc/recovery', { code: older })).status).toBe(400);
    expect((await lost.post('/svc/recovery', { code: newer })).status).toBe(200);
  });

  it('POST, 32 at once: those of one call are good', async () => {
    const sets = await Promise.all(Array.from({ length: 32 }, () => create()));
    expect(await state()).toMatchObject({ left: 10 });
    const tries = await Promise.all(
      sets.map(([code = '']) => new Browser(gatehouse).post('/svc/recovery', { code })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  itWithClock('403 with a reason, after 10 minutes, and nothing is changed', async () => {
    const codes = await create();
    advanceClock(FRESH_MS + 1);
    const answer = await ann.post(CODES, {});
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ error: expect.any(String), reason: 'sign_in_again' });
    expect(await state()).toMatchObject({ left: 10 });
    const lost = new Browser(gatehouse);
    expect((await lost.post('/svc/recovery', { code: codes[0] })).status).toBe(200);
    expect((await lost.post(CODES, {})).status).toBe(200);
  });

  describe('401, none are made and the older stay, where the session', () => {
    let codes: string[];

    const hold = async () => {
      codes = await create();
      return holdBody(gatehouse, ann, CODES, { type: 'application/json', body: '{}' });
    };
    const expectOlder = async () => {
      const lost = new Browser(gatehouse);
      expect((await lost.post('/svc/recovery', { code: codes[0] })).status).toBe(200);
    };

    it('was signed out right before they are written', async () => {
      const held = await hold();
      beforeNextTransaction(gatehouse, () => ann.post('/svc/auth/logout'));
      expect((await held.finish()).status).toBe(401);
      await expectOlder();
    });

    itWithClock('expired while the body is open', async () => {
      const held = await hold();
      advanceClock(7 * DAY_MS + 1);
      expect((await held.finish()).status).toBe(401);
      await expectOlder();
    });
  });
});
