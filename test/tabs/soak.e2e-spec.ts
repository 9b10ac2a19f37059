import { AccountHubsService, SessionWatchService } from '#libs/tab-hub/testing';
import { TabConnectionsService } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const ACCOUNTS = 100;
const TABS = 20;
const BATCH = 5;

describe(`${ACCOUNTS * TABS} tabs of ${ACCOUNTS} accounts on one process`, () => {
  const gatehouse = useGatehouse();

  /** The process's state of tabs: nothing else shows whether something is left behind. */
  const pick = <T>(service: new (...args: never[]) => T) =>
    gatehouse.app.get<T>(service, { strict: false });

  async function signUpAll(): Promise<Browser[]> {
    const browsers = Array.from({ length: ACCOUNTS }, () => new Browser(gatehouse));
    for (const [n, browser] of browsers.entries()) await browser.signUp(`S${n}`);
    return browsers;
  }

  const open = (browser: Browser, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => eventually(() => TabClient.open(gatehouse, browser))),
    );

  async function openAll(browsers: Browser[], count: number): Promise<TabClient[][]> {
    const accounts: TabClient[][] = [];
    for (let n = 0; n < browsers.length; n += BATCH) {
      const batch = browsers.slice(n, n + BATCH);
      accounts.push(...(await Promise.all(batch.map((browser) => open(browser, count)))));
    }
    return accounts;
  }

  it('come, speak, go, come again and leave nothing behind', async () => {
    const browsers = await signUpAll();
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const accounts = await openAll(browsers, TABS);
    expect(pick(TabConnectionsService).all.size).toBe(ACCOUNTS * TABS);
    expect(pick(AccountHubsService).size).toBe(ACCOUNTS);
    expect(pick(SessionWatchService).size).toBe(ACCOUNTS);

    await Promise.all(
      accounts.map(([tab]) => tab?.ask('send', { to: '*', body: 1, id: 'a' }, 'ack')),
    );
    for (const tab of accounts.flat()) {
      if (tab !== accounts.find((tabs) => tabs.includes(tab))?.[0]) await tab.next('message');
      expect(tab.received('message').length).toBeLessThanOrEqual(1);
    }

    const leaving = accounts.flatMap((tabs) => tabs.splice(0, TABS / 2));
    for (const [n, { socket }] of leaving.entries()) {
      if (n % 2 === 0) socket.close();
      else socket.terminate();
    }
    const joined = await openAll(browsers, TABS / 2);
    for (const [n, tabs] of accounts.entries()) tabs.push(...(joined[n] ?? []));
    await Promise.all(accounts.map((tabs) => tabs[0]?.sees(...tabs)));

    await Promise.all(accounts.flat().map((tab) => tab.close()));
    await eventually(async () => {
      expect(pick(TabConnectionsService).all.size).toBe(0);
      expect(pick(AccountHubsService).size).toBe(0);
      expect(pick(SessionWatchService).size).toBe(0);
      expect(timers()).toBeLessThanOrEqual(before);
    });
    for (const browser of browsers) {
      const tab = await TabClient.open(gatehouse, browser);
      expect(tab.tabs.map(({ id }) => id)).toEqual([tab.id]);
      await tab.close();
    }
  });
});
