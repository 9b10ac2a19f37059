import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { useReplicas } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';
const DAY_MS = 24 * 60 * 60_000;
const ENDED = { code: 4401, reason: 'session ended' };

describe(`tabs and the end of their session (contract: Sessions) (${replicated ? 'two replicas' : 'one process'})`, () => {
  const [here, there] = useReplicas();
  let ann: Browser;

  const openThere = (browser: Browser) =>
    TabClient.open({ port: there.port, origin: here.origin }, browser);
  beforeEach(async () => {
    ann = new Browser(here);
    await ann.signUp();
  });

  it('signing out closes the tabs of that session everywhere, and no other', async () => {
    const elsewhere = new Browser(here, ann.authenticator);
    await elsewhere.signIn();
    const kept = await openThere(elsewhere);
    const tabs = [await TabClient.open(here, ann), await openThere(ann)];
    await kept.sees(kept, ...tabs);
    await ann.post('/svc/auth/logout');
    for (const tab of tabs) expect(await tab.closed).toEqual(ENDED);
    await kept.sees(kept);
    await kept.close();
  });

  it('signing in again closes the tabs of the session that it replaces', async () => {
    const tab = await openThere(ann);
    await ann.signIn();
    expect(await tab.closed).toEqual(ENDED);
    await (await openThere(ann)).close();
  });

  it('signing in as another account closes the tabs of the one before', async () => {
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const tab = await openThere(ann);
    bob.cookie = ann.cookie;
    await bob.signIn();
    expect(await tab.closed).toEqual(ENDED);
  });

  it('a recovery closes all tabs of its account everywhere, and no other', async () => {
    const elsewhere = new Browser(here, ann.authenticator);
    await elsewhere.signIn();
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const tabs = [await TabClient.open(here, ann), await openThere(elsewhere)];
    const others = [await TabClient.open(here, bob), await openThere(bob)];
    const { codes } = (await ann.post('/svc/me/recovery-codes', {})).json<{ codes: string[] }>();
    await new Browser(here).post('/svc/recovery', { code: codes[0] });
    for (const tab of tabs) expect(await tab.closed).toEqual(ENDED);
    for (const tab of others) {
      await tab.settle();
      expect(tab.socket.readyState).toBe(tab.socket.OPEN);
      await tab.close();
    }
  });

  itWithClock('a session that ends while a tab is open closes it', async () => {
    const tab = await eventually(async () => {
      restoreClock();
      await ann.signIn();
      for (let day = 6; day <= 24; day += 6) {
        advanceClock(6 * DAY_MS);
        await ann.me();
      }
      // The tab must arrive within the last second of the 30 days; otherwise the test tries again.
      advanceClock(6 * DAY_MS - 1000);
      return TabClient.open(here, ann);
    });
    expect(await tab.closed).toEqual(ENDED);
    await expect(TabClient.open(here, ann)).rejects.toThrow('closed with 1006');
  });

  it('a sign-out that happens while tabs come leaves none of them', async () => {
    const tabs = Array.from({ length: 16 }, (_, n) =>
      TabClient.dial({ port: (n % 2 ? here : there).port, origin: here.origin }, ann),
    );
    await tabs[0]?.next('welcome');
    await ann.post('/svc/auth/logout');
    const codes = (await Promise.all(tabs.map(({ closed }) => closed))).map(({ code }) => code);
    expect(new Set([...codes, 4401, 1006])).toEqual(new Set([4401, 1006]));
  });
});
