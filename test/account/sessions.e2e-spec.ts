import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useReplicas } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { TabClient } from '../support/tab-client.js';
import {
  FRESH_MS,
  SESSIONS,
  sessionsOf,
  signedUp,
  typesOf,
  withFurtherPasskey,
} from './own-account.js';

const ENDED = { code: 4401, reason: 'session ended' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

describe('own sessions (contract: Own sessions)', () => {
  const [here, there] = useReplicas();
  let ann: Browser;
  let begunAt: number;

  beforeEach(async () => {
    ann = await signedUp(here);
    begunAt = Date.now();
  });

  /** The same account in another browser. */
  async function elsewhere(headers = {}) {
    const other = ann.at(here);
    other.cookie = undefined;
    await other.post('/svc/auth/login/verify', await other.assert(), headers);
    return other;
  }
  const openThere = (browser: Browser) =>
    TabClient.open({ port: there.port, origin: here.origin }, browser);
  const end = (id: string, whose = ann) => whose.send('DELETE', `${SESSIONS}/${id}`);
  const ownId = async (whose: Browser) =>
    (await sessionsOf(whose)).find(({ current }) => current)?.id ?? '';

  it('lists the record of the contract and nothing else, the one that was used last first', async () => {
    await elsewhere({ 'user-agent': FIREFOX });
    const answer = await ann.get(SESSIONS);
    expect(answer.headers['cache-control']).toBe('no-store');
    const record = {
      id: expect.stringMatching(/^[\w-]{22}$/),
      browser: null,
      createdAt: expect.any(Number),
      lastSeenAt: expect.any(Number),
      expiresAt: expect.any(Number),
      current: true,
    };
    expect(answer.json()).toEqual({
      sessions: [{ ...record, browser: 'Firefox on Linux', current: false }, record],
    });
    const [newest] = await sessionsOf(ann);
    expect(newest?.expiresAt).toBe((newest?.createdAt ?? 0) + 7 * 86_400);
    expect(Math.abs((newest?.createdAt ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('DELETE ends one, its tabs on every replica, and no other', async () => {
    const other = await elsewhere();
    const tabs = [await TabClient.open(here, other), await openThere(other)];
    const kept = await openThere(ann);
    const answer = await end(await ownId(other));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    for (const tab of tabs) expect(await tab.closed).toEqual(ENDED);
    expect([(await other.me()).user, (await ann.me()).user?.displayName]).toEqual([null, 'Ann']);
    await kept.sees(kept);
    await kept.close();
    const { user } = await ann.me();
    await eventually(async () =>
      expect((await typesOf(here, user?.id)).at(-1)).toBe('session-ended'),
    );
  });

  itWithClock('403 | of a session that is not fresh, for one that is | which goes on', async () => {
    const idle = await elsewhere();
    advanceClock(FRESH_MS + 1);
    const other = await elsewhere();
    const refused = [403, { error: expect.any(String), reason: 'sign_in_again' }];
    for (const answer of [await end(await ownId(other)), await ann.send('DELETE', SESSIONS)]) {
      expect([answer.status, answer.json()]).toEqual(refused);
    }
    for (const each of [idle, other, ann]) expect((await each.me()).user).not.toBeNull();
    expect((await other.send('DELETE', SESSIONS)).status).toBe(204);
    for (const each of [idle, ann]) expect((await each.me()).user).toBeNull();
  });

  itWithClock('DELETE asks for no fresh session to end one that is not', async () => {
    const other = await elsewhere();
    advanceClock(FRESH_MS + 1);
    expect((await end(await ownId(other))).status).toBe(204);
    expect((await other.me()).user).toBeNull();
  });

  it('DELETE of this one signs out and clears the cookie', async () => {
    const cookie = ann.cookie;
    const tab = await openThere(ann);
    const answer = await end(await ownId(ann));
    expect(answer.headers['set-cookie']).toEqual([
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await tab.closed).toEqual(ENDED);
    ann.cookie = cookie;
    expect((await ann.me()).user).toBeNull();
  });

  it('DELETE of all ends all but this one, with their tabs on every replica', async () => {
    const others = [await elsewhere(), await elsewhere()];
    const eve = await signedUp(here, 'Eve');
    const tabs = [await openThere(others[0] ?? ann), await TabClient.open(here, others[1] ?? ann)];
    const answer = await ann.send('DELETE', SESSIONS);
    expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([
      204,
      '',
      undefined,
    ]);
    for (const tab of tabs) expect(await tab.closed).toEqual(ENDED);
    for (const other of others) expect((await other.me()).user).toBeNull();
    expect((await eve.me()).user).not.toBeNull();
    expect((await sessionsOf(ann)).map(({ current }) => current)).toEqual([true]);
    expect((await ann.send('DELETE', SESSIONS)).status).toBe(204);
  });

  it('404 | another account’s session, which goes on', async () => {
    const eve = await signedUp(here, 'Eve');
    const answer = await end(await ownId(eve));
    expect([answer.status, answer.json()]).toEqual([404, { error: expect.any(String) }]);
    expect((await eve.me()).user).not.toBeNull();
  });

  it('of many that end the same one, one wins', async () => {
    const id = await ownId(await elsewhere());
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([204, ...Array.from({ length: 7 }, () => 404)]);
  });

  describe('a sign-in beyond 100', () => {
    const elsewhereTimes = async (count: number) => {
      const others: Browser[] = [];
      for (let n = 0; n < count; n += 1) others.push(await elsewhere());
      return others;
    };
    const isIn = async (browser: Browser) => (await browser.me()).user !== null;
    /** Uses a session until its last use is later than any other's. */
    const use = (browser: Browser) =>
      eventually(async () => {
        await browser.me();
        const [latest, second] = await sessionsOf(browser);
        expect(latest?.current).toBe(true);
        expect(latest?.lastSeenAt).toBeGreaterThan(second?.lastSeenAt ?? 0);
      });

    itWithClock('has uses to order them by: from 50 on each second is noted', async () => {
      const noted = async () => (await sessionsOf(ann)).find(({ current }) => current)?.lastSeenAt;
      const later = async () => {
        const before = await noted();
        advanceClock(1_001);
        return [before, await noted()];
      };
      await elsewhereTimes(48);
      const [begun, few] = await later();
      expect(few).toBe(begun);
      await elsewhereTimes(1);
      const [before, many] = await later();
      expect(many).toBeGreaterThan(Number(before));
    });

    itWithClock(
      'ends the one that was used least recently, and its tabs, and not the one in use',
      async () => {
        const idle = await elsewhere();
        const tab = await openThere(idle);
        // Sessions of the same moment have no order, so this one has to be older than the others.
        await eventually(() => expect(Date.now()).toBeGreaterThan(begunAt + 1));
        const others = await elsewhereTimes(98);
        // For a minute those from before the 50th stay.
        advanceClock(60_001);
        await use(ann);
        others.push(await elsewhere());
        expect(await tab.closed).toEqual(ENDED);
        expect([await isIn(ann), await isIn(idle)]).toEqual([true, false]);
        const left = await Promise.all(others.map(isIn));
        expect(left.filter(Boolean)).toHaveLength(99);
      },
    );

    it('with a thief’s passkey ends the thief’s, and the owner can sign in and stay', async () => {
      const thief = await withFurtherPasskey(here, ann);
      const signInAtOnce = (whose: Browser, count: number) =>
        Promise.all(
          Array.from({ length: count }, async (_, n) => {
            const one = new Browser(n % 2 ? there : here, whose.authenticator);
            const signIn = async () => expect((await one.signIn()).status).toBe(200);
            // A busy machine may refuse some of many parallel sign-ins for a moment; a single one must succeed.
            await (count > 1 ? eventually(signIn) : signIn());
            return one;
          }),
        );
      const thieves = [];
      for (let n = 0; n < 5; n += 1) thieves.push(...(await signInAtOnce(thief, 20)));
      await Promise.all(thieves.map(isIn));
      const [phone] = await signInAtOnce(ann, 1);
      for (let n = 0; n < 3; n += 1) await signInAtOnce(thief, 8);
      expect([await isIn(ann), phone && (await isIn(phone))]).toEqual([true, true]);
      expect(await sessionsOf(ann)).toHaveLength(100);
    });
  });
});
