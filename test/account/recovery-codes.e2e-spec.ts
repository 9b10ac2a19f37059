import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';

const CODES = '/svc/me/recovery-codes';
const MINUTE_MS = 60 * 1000;

describe('recovery codes (contract: Recovery)', () => {
  let gatehouse: Gatehouse;
  let ann: Browser;

  const database = () => gatehouse.app.get(DataSource);
  const create = async (browser = ann) =>
    (await browser.post(CODES, {})).json<{ codes: string[] }>().codes;
  const state = async (browser = ann) => (await browser.get(CODES)).json();
  const userId = async (browser = ann) => (await browser.me()).user?.id ?? '';
  const age = async (ms: number) =>
    database().manager.update(
      'sessions',
      { userId: await userId() },
      { createdAt: Date.now() - ms },
    );

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    ann = new Browser(gatehouse);
    await ann.signUp();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => gatehouse.stop());

  it('POST: ten codes of 120 bits, shown once, stored as SHA-256', async () => {
    const answer = await ann.post(CODES, {});
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { codes, ...more } = answer.json<{ codes: string[] }>();
    expect(more).toEqual({});
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){6}$/);
    const rows = JSON.stringify(await database().query('SELECT * FROM recovery_codes'));
    for (const code of codes) {
      const bare = code.replaceAll('-', '');
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(bare));
      expect(rows).toContain(Buffer.from(digest).toString('base64url'));
      expect(rows.replaceAll('-', '')).not.toContain(bare);
    }
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

  it('POST again: the older ones are good no more', async () => {
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

  it('403 with a reason, after 10 minutes, and nothing is changed', async () => {
    const codes = await create();
    await age(10 * MINUTE_MS + 1000);
    const answer = await ann.post(CODES, {});
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ error: expect.any(String), reason: 'sign_in_again' });
    expect(await state()).toMatchObject({ left: 10 });
    const lost = new Browser(gatehouse);
    expect((await lost.post('/svc/recovery', { code: codes[0] })).status).toBe(200);
    expect((await lost.post(CODES, {})).status).toBe(200);
  });

  describe('are refused in the order session, method, body, fresh', () => {
    const signedOut = () => new Browser(gatehouse);

    it.each(['GET', 'POST', 'PUT', 'DELETE'])('401 JSON, signed out: %s', async (method) => {
      const answer = await signedOut().send(method, CODES);
      expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('401, a cookie that is not believed', async () => {
      const headers = { origin: 'https://evil.example' };
      expect((await ann.post(CODES, {}, headers)).status).toBe(401);
      expect(await state()).toMatchObject({ left: 0 });
    });

    it('405 in plain text before body and age are judged', async () => {
      await age(10 * MINUTE_MS + 1000);
      const answer = await ann.send('PUT', CODES, '{');
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    });

    it.each([
      ['over 16 KiB', 'x'.repeat(16_385), 413],
      ['no JSON', '{', 400],
      ['no object', '[]', 400],
    ])('body before age: %s', async (_what, body, status) => {
      await age(10 * MINUTE_MS + 1000);
      const answer = await ann.post(CODES, body);
      expect([answer.status, answer.json()]).toEqual([status, { error: expect.any(String) }]);
    });

    it.each(['/svc/me/recovery-codes/', '/svc/me/recovery-codes/1'])('404: %s', async (path) => {
      expect((await ann.get(path)).status).toBe(404);
    });
  });

  describe('401, none are made and the older stay, where the session', () => {
    it.each([
      ['was signed out', () => ann.post('/svc/auth/logout')],
      ['expired', () => database().query('UPDATE sessions SET expires_at = 1')],
    ])('%s while the body is open', async (_how, end) => {
      const codes = await create();
      const held = await holdBody(gatehouse, ann, CODES, { type: 'application/json', body: '{}' });
      const source = database();
      const transaction = source.transaction.bind(source) as (work: never) => Promise<unknown>;
      jest.spyOn(source, 'transaction').mockImplementationOnce(async (...work: unknown[]) => {
        await end();
        return transaction(work[0] as never);
      });
      expect((await held.finish()).status).toBe(401);
      const lost = new Browser(gatehouse);
      expect((await lost.post('/svc/recovery', { code: codes[0] })).status).toBe(200);
    });
  });
});
