import { Browser } from '../support/browser.js';
import { useReplicas } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { failNextTransaction } from '../support/transactions.js';
import { recoveryLinkOf, sessionsOf } from './own-account.js';

const RECOVERY = '/svc/recovery';
const CODES = '/svc/me/recovery-codes';
const CALLS = 32;
const replicated = globalThis.STORAGE !== 'embedded';

describe(`recovery (contract: Recovery) (${replicated ? 'two replicas' : 'one process'})`, () => {
  const [here, there] = useReplicas();
  let ann: Browser;
  let lost: Browser;
  let user: { id: string; displayName: string };

  const codesOf = async (browser: Browser) =>
    (await browser.post(CODES, {})).json<{ codes: string[] }>().codes;
  const codeOf = (link = '') => new URL(link).hash.slice(1);
  const recover = (code: unknown, browser = lost) => browser.post(RECOVERY, { code });
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

  beforeEach(async () => {
    ann = new Browser(here);
    user = (await ann.signUp()).json<{ user: typeof user }>().user;
    lost = new Browser(here);
  });

  it('by a code of the person: 200 with the user, and a fresh session', async () => {
    const [code] = await codesOf(ann);
    const answer = await recover(code);
    expect([answer.status, answer.json()]).toEqual([200, { user }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect((await lost.me()).user).toEqual(user);
    expect((await lost.post(CODES, {})).status).toBe(200);
    expect((await lost.addPasskey()).status).toBe(200);
    expect((await lost.signIn()).json()).toEqual({ user });
  });

  it('of two accounts at once, each of which carries the session of the other: both succeed', async () => {
    const pairs = Array.from({ length: 4 }, async () => {
      const [bob, eve] = [new Browser(here), new Browser(here)];
      await Promise.all([bob.signUp(), eve.signUp()]);
      const [[ofBob], [ofEve]] = [await codesOf(bob), await codesOf(eve)];
      return Promise.all([recover(ofBob, eve.at(there)), recover(ofEve, bob)]);
    });
    expect(new Set(statuses((await Promise.all(pairs)).flat()))).toEqual(new Set([200]));
  });

  it('400 | a code or link of another origin, which stays valid', async () => {
    const other = `http://127.0.0.1:${there.port}`;
    const elsewhere = () => new Browser({ port: there.port, origin: other });
    const [code] = await codesOf(ann);
    const link = codeOf(await recoveryLinkOf(here, user.id));
    const wrong = await recover('0'.repeat(24), elsewhere());
    for (const bound of [code, link]) {
      const refused = await recover(bound, elsewhere());
      expect([refused.status, refused.text]).toEqual([400, wrong.text]);
      expect((await recover(bound)).json()).toEqual({ user });
    }
  });

  it("by an administrator's link: once", async () => {
    const link = await recoveryLinkOf(here, user.id);
    expect(link).toMatch(new RegExp(`^${here.origin}/svc/account/recover#[0-9A-Z]{32}$`));
    expect((await recover(codeOf(link))).json()).toEqual({ user });
    expect((await recover(codeOf(link), new Browser(here))).status).toBe(400);
  });

  it('case, spaces and dashes do not count', async () => {
    const codes = await codesOf(ann);
    const spellings = [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replaceAll('-', ''),
      (code: string) => ` ${code.replaceAll('-', ' ')}\n`,
      (code: string) => [...code.replaceAll('-', '')].join('–'),
    ];
    for (const [n, spelt] of spellings.entries()) {
      expect((await recover(spelt(codes[n] ?? ''))).status).toBe(200);
    }
  });

  it('every other session of the account ends, on every replica, and of no other account', async () => {
    const [code] = await codesOf(ann);
    const phone = new Browser(there, ann.authenticator);
    await phone.signIn();
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const token = ann.cookie;
    expect((await recover(code, ann)).status).toBe(200);
    expect(ann.cookie).not.toBe(token);
    expect((await ann.me()).user).toEqual(user);
    expect((await ann.at(there).me()).user).toEqual(user);
    expect((await phone.me()).user).toBeNull();
    expect((await bob.me()).user).toMatchObject({ displayName: 'Bob' });
    expect((await ann.get('/svc/auth/me', { cookie: token ?? '' })).json()['user']).toBeNull();
  });

  it('ends the session of another account that the request carried', async () => {
    const [code] = await codesOf(ann);
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const cookie = bob.cookie ?? '';
    expect((await recover(code, bob)).json()).toEqual({ user });
    expect((await new Browser(here).get('/svc/auth/me', { cookie })).json()['user']).toBeNull();
  });

  it('a carried cookie that is not believed ends nothing', async () => {
    const [code] = await codesOf(ann);
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const cookie = bob.cookie ?? '';
    const headers = { 'sec-fetch-site': 'same-site' };
    expect((await bob.post(RECOVERY, { code }, headers)).status).toBe(200);
    expect((await new Browser(here).get('/svc/auth/me', { cookie })).json()['user']).not.toBeNull();
  });

  it.each(['code', 'link'])('one of 32 calls at once with one %s succeeds', async (kind) => {
    const [own] = await codesOf(ann);
    const code = kind === 'code' ? own : codeOf(await recoveryLinkOf(here, user.id));
    const browsers = Array.from({ length: CALLS }, (_, n) =>
      new Browser(here).at(n % 2 ? here : there),
    );
    const answers = await Promise.all(browsers.map((browser) => recover(code, browser)));
    expect(statuses(answers)).toEqual([200, ...Array(CALLS - 1).fill(400)]);
    const signedIn = await Promise.all(browsers.map((browser) => browser.me()));
    const winners = browsers.filter((_, n) => signedIn[n]?.user);
    expect(winners).toHaveLength(1);
    for (const winner of winners) expect(await sessionsOf(winner)).toHaveLength(1);
  });

  it('with ten codes at once one session is left', async () => {
    const codes = await codesOf(ann);
    const browsers = codes.map((_, n) => new Browser(here).at(n % 2 ? here : there));
    const answers = await Promise.all(browsers.map((browser, n) => recover(codes[n], browser)));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    const signedIn = await Promise.all(browsers.map((browser) => browser.me()));
    expect(signedIn.filter((status) => status.user !== null)).toHaveLength(1);
    await ann.signIn();
    expect(await sessionsOf(ann)).toHaveLength(2);
  });

  it('leaves code and sessions as they were where it cannot be finished', async () => {
    const [code] = await codesOf(ann);
    failNextTransaction(here);
    expect((await recover(code)).status).toBe(500);
    expect((await ann.me()).user).toEqual(user);
    expect((await recover(code)).status).toBe(200);
  });
});
