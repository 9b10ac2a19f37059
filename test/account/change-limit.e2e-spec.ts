import type { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { PASSKEYS, passkeysOf, SESSIONS, sessionsOf, signedUp } from './own-account.js';

/** Enough for the sign-ups, which one visitor makes. */
const MAX = 20;
const CALLS = 64;
/** Too long to end while a test runs. */
const PERIOD = 3600;
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: String(PERIOD) };
const replicated = globalThis.STORAGE !== 'embedded';

describe('429 | POST, PATCH and DELETE under /svc/me | more changes than a session may make (contract: Own account)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let ann: Browser;

  beforeAll(async () => {
    here = await startGatehouse(limits);
    there = replicated ? await startGatehouse(limits, here) : here;
  });
  beforeEach(async () => {
    ann = await signedUp(here);
  });
  afterAll(async () => {
    if (replicated) await there.stop();
    await here.stop();
  });

  const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
  const rename = (browser: Browser, displayName: string) =>
    browser.send('PATCH', '/svc/me', { displayName });
  const exhaust = (browser: Browser) =>
    Promise.all(
      Array.from({ length: CALLS }, (_, n) =>
        rename(browser.at(n % 2 === 0 ? here : there), `Ann ${n}`),
      ),
    );

  it('of many at once, on any replica, as many are done as are allowed', async () => {
    const found = statuses(await exhaust(ann));
    expect(found.filter((status) => status === 200)).toHaveLength(MAX);
    expect(found.filter((status) => status === 429)).toHaveLength(CALLS - MAX);
  });

  it('holds for every change, before its body is read, and changes nothing', async () => {
    const [{ id = '' } = {}] = await passkeysOf(ann);
    const [{ id: session = '' } = {}] = await sessionsOf(ann);
    await exhaust(ann);
    const answers = [
      await ann.send('PATCH', '/svc/me', '['),
      await ann.send('PATCH', `${PASSKEYS}/${id}`, '['),
      await ann.post('/svc/me/recovery-codes', '['),
      await ann.send('DELETE', `${PASSKEYS}/${id}`),
      await ann.send('DELETE', `${SESSIONS}/${session}`),
      await ann.send('DELETE', SESSIONS),
      await ann.send('DELETE', '/svc/me'),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, String(PERIOD)]);
      expect(answer.json()).toEqual({ error: expect.stringContaining('try again in') });
    }
    expect((await ann.me()).user).not.toBeNull();
  });

  it('leaves reading alone', async () => {
    await exhaust(ann);
    for (const path of [PASSKEYS, SESSIONS, '/svc/me/activity', '/svc/me/recovery-codes']) {
      expect((await ann.get(path)).status).toBe(200);
    }
  });

  it('a session that used it up does not keep another of the account from ending it', async () => {
    const stolen = ann.at(here);
    stolen.cookie = undefined;
    await stolen.signIn();
    await exhaust(stolen);
    expect((await ann.send('DELETE', SESSIONS)).status).toBe(204);
    expect((await stolen.me()).user).toBeNull();
  });
});
