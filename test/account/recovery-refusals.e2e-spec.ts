import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RecoveryLinksService } from '#libs/accounts';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';

const RECOVERY = '/svc/recovery';
const CODES = '/svc/me/recovery-codes';
const MAX = 20;
const WRONG = 'AAAA-AAAA-AAAA-AAAA';

describe('refused recoveries (contract: Recovery)', () => {
  let gatehouse: Gatehouse;
  let ann: Browser;
  let visitors = 0;
  /** A visitor who has not been here yet. */
  let visitor: { 'x-forwarded-for': string };
  let codes: string[];
  let userId: string;

  const database = () => gatehouse.app.get(DataSource);
  const post = (body: string | object, headers = {}): Promise<Answer> =>
    new Browser(gatehouse).post(RECOVERY, body, { ...visitor, ...headers });
  const recover = (code: unknown) => post({ code });
  const link = async () => {
    const made = await gatehouse.app
      .get(RecoveryLinksService, { strict: false })
      .create(userId, gatehouse.origin);
    return new URL(made ?? '').hash.slice(1);
  };
  const expireLinks = () =>
    database().query('UPDATE recovery_codes SET expires_at = 1 WHERE expires_at IS NOT NULL');
  /** The statements of a request, as the database gets them. */
  const statementsOf = async (work: () => Promise<unknown>) => {
    const said: string[] = [];
    const runner = Object.getPrototypeOf(database().createQueryRunner()) as {
      query(statement: string, ...rest: unknown[]): Promise<unknown>;
    };
    const query = runner.query;
    jest.spyOn(runner, 'query').mockImplementation(function (this: typeof runner, text, ...rest) {
      // SQLite's adapter writes some times into the statement.
      said.push(text.replace(/\d{13}/g, 'now'));
      return query.call(this, text, ...rest);
    });
    await work();
    jest.restoreAllMocks();
    return said.filter((text) => /^(SELECT|UPDATE|INSERT|DELETE) (?!.*audit_events)/.test(text));
  };

  beforeAll(async () => {
    gatehouse = await startGatehouse({ RATE_LIMIT_MAX: String(MAX), TRUSTED_PROXIES: 'loopback' });
  });
  beforeEach(async () => {
    visitors += 1;
    visitor = { 'x-forwarded-for': `198.51.100.${visitors}` };
    ann = new Browser(gatehouse);
    const options = await ann.post('/svc/auth/register/options', { displayName: 'Ann' }, visitor);
    const response = await ann.authenticator.create(options.json(), gatehouse.origin);
    const signedUp = await ann.post('/svc/auth/register/verify', response, visitor);
    ({ id: userId } = signedUp.json<{ user: { id: string } }>().user);
    ({ codes } = (await ann.post(CODES, {})).json<{ codes: string[] }>());
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => gatehouse.stop());

  it('400 with one text and no cookie: wrong, used, expired, replaced, or no code at all', async () => {
    const [used = '', replaced = ''] = codes;
    const usedLink = await link();
    await recover(usedLink);
    await ann.post(RECOVERY, { code: used }, visitor);
    await ann.post(CODES, {});
    const replacedLink = await link();
    const expired = await link();
    await expireLinks();
    const bad: unknown[] = [WRONG, used, replaced, expired, usedLink, replacedLink];
    bad.push('', 'x'.repeat(16_000), 7, null, true, [WRONG], {}, '\u0000', '\ud800', undefined);
    const answers: Answer[] = [];
    for (const [n, code] of bad.entries()) {
      visitor = { 'x-forwarded-for': `203.0.113.${n}` };
      answers.push(await recover(code));
    }
    expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 400));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const { headers } of answers) {
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('a wrong, used or expired code is the same work up to where a right one succeeds', async () => {
    const [used = ''] = codes;
    await recover(used);
    const expired = await link();
    await expireLinks();
    const refused: string[][] = [];
    for (const code of [WRONG, used, expired, '']) {
      refused.push(await statementsOf(() => recover(code)));
    }
    const right = await statementsOf(() => recover(codes[1]));
    const [one = []] = refused;
    expect(one).toHaveLength(3);
    expect(new Set(refused.map(String)).size).toBe(1);
    expect(right.slice(0, one.length)).toEqual(one);
    expect(right.length).toBeGreaterThan(one.length);
  });

  it('405 | any other method | header Allow', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await ann.send(method, RECOVERY);
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  it.each(['https://evil.example', 'null', ''])(
    '403 JSON, Origin %j: nothing used',
    async (origin) => {
      const answer = await post({ code: codes[0] }, { origin });
      expect([answer.status, answer.json()]).toEqual([403, { error: expect.any(String) }]);
      expect((await post({ code: codes[0] }, { origin: gatehouse.origin })).status).toBe(200);
    },
  );

  it.each([
    ['over 16 KiB', 'x'.repeat(16_385), 413],
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
  ])('a body that is refused in JSON: %s', async (_what, body, status) => {
    const answer = await post(body);
    expect([answer.status, answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });

  it('429 JSON | the limit of the ceremonies is used up | header Retry-After', async () => {
    const guess = () => recover(WRONG);
    const answers = await Promise.all(Array.from({ length: 2 * MAX }, guess));
    // Two calls of the ceremonies were counted before.
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(MAX - 2);
    const refused = await recover(codes[0]);
    expect(refused.status).toBe(429);
    expect(refused.json()).toEqual({ error: expect.stringContaining('try again in') });
    expect(refused.headers['retry-after']).toBe('60');
    const options = await ann.agent.post('/svc/auth/login/options').set(visitor).send({});
    expect(options.status).toBe(429);
    visitor = { 'x-forwarded-for': '203.0.113.250' };
    expect((await recover(codes[0])).status).toBe(200);
  });

  it.each(['/svc/recovery/', '/svc/recovery/x', '/svc/Recovery'])('404: %s', async (path) => {
    expect((await ann.send('POST', path, { code: codes[0] })).status).toBe(404);
  });
});
