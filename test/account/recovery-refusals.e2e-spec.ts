import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { itWithClock } from '../support/services/describe-with.js';
import { statementsIn } from '../support/statements.js';
import { recoveryLinkOf } from './own-account.js';

const RECOVERY = '/svc/recovery';
const CODES = '/svc/me/recovery-codes';
const DAY_MS = 24 * 60 * 60_000;
const MAX = 20;
const WRONG = 'AAAA-AAAA-AAAA-AAAA';

describe('refused recoveries (contract: Recovery)', () => {
  const gatehouse = useGatehouse(() =>
    startGatehouse({ RATE_LIMIT_MAX: String(MAX), TRUSTED_PROXIES: 'loopback' }),
  );
  let ann: Browser;
  let visitors = 0;
  /** A visitor with an unused address. */
  let visitor: { 'x-forwarded-for': string };
  let codes: string[];
  let userId: string;

  const post = (body: string | object, headers = {}): Promise<Answer> =>
    new Browser(gatehouse).post(RECOVERY, body, { ...visitor, ...headers });
  const recover = (code: unknown) => post({ code });
  const link = async () => new URL(await recoveryLinkOf(gatehouse, userId)).hash.slice(1);
  /** The SQL statements, without the times that SQLite's adapter writes into them. */
  const workOf = async (code: unknown) =>
    (await statementsIn(gatehouse, () => recover(code)))
      .map((sql) => sql.replaceAll(/\d{13}/g, 'now'))
      .filter((sql) => /^(SELECT|UPDATE|INSERT|DELETE) /.test(sql));

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

  it('400 with one text and no cookie: wrong, used, replaced, or no code at all', async () => {
    const [used = '', replaced = ''] = codes;
    await ann.post(RECOVERY, { code: used }, visitor);
    const usedLink = await link();
    await recover(usedLink);
    await ann.signIn();
    await ann.post(CODES, {});
    const replacedLink = await link();
    await link();
    const bad: unknown[] = [WRONG, used, replaced, usedLink, replacedLink];
    bad.push('', 'x'.repeat(16_000), 7, null, [WRONG], {}, '\u0000', '\ud800', undefined);
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

  it('a wrong or used code is the same work up to where a right one succeeds', async () => {
    const [used = '', good = ''] = codes;
    await recover(used);
    const refused = [await workOf(WRONG), await workOf(used), await workOf('')];
    const [one = []] = refused;
    expect(one).toHaveLength(3);
    expect(new Set(refused.map(String)).size).toBe(1);
    const right = await workOf(good);
    expect(right.slice(0, one.length)).toEqual(one);
    expect(right.length).toBeGreaterThan(one.length);
  });

  itWithClock('a link is good for 24 hours, and then refused like a wrong code', async () => {
    const [first, second] = [await link(), new Browser(gatehouse)];
    advanceClock(DAY_MS - 1000);
    expect((await second.post(RECOVERY, { code: first }, visitor)).status).toBe(200);
    const expired = await link();
    advanceClock(DAY_MS + 1);
    const answers = [await recover(expired), await recover(WRONG)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await workOf(expired)).toEqual(await workOf(WRONG));
  });

  it('405 | any other method | header Allow', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await ann.send(method, RECOVERY);
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  it('403 JSON | a foreign Origin, and nothing is used', async () => {
    const answer = await post({ code: codes[0] }, { origin: 'https://evil.example' });
    expect([answer.status, answer.json()]).toEqual([403, { error: expect.any(String) }]);
    expect((await post({ code: codes[0] }, { origin: gatehouse.origin })).status).toBe(200);
  });

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
});
