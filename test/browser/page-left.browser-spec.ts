import type { Browser, Page } from 'playwright-core';
import { eventually } from '#libs/platform/testing';
import { ConnectedApp } from '../mcp/connected-app.js';
import { startChromiumWithPageCache } from '../support/chromium.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

const PAGE = `<!doctype html>
<title>Shop</title>
<script type="module">
  import * as client from '/svc/client.js';

  globalThis.client = client;
  addEventListener('pageshow', ({ persisted }) => (globalThis.wasKept = persisted));
  client.hub.open();
</script>`;

describe('a page that its user leaves, and that the browser keeps for the way back', () => {
  const here = useGatehouse(() => startGatehouse());
  let chromium: Browser;
  let page: Page;
  let ann: ConnectedApp;

  beforeAll(async () => {
    ann = await ConnectedApp.connect(here);
    chromium = await startChromiumWithPageCache('--disable-features=LocalNetworkAccessChecks');
  });
  beforeEach(async () => {
    page = await (await chromium.newContext()).newPage();
    for (const [path, body] of [
      ['/shop', PAGE],
      ['/other', '<!doctype html><title>Other</title>'],
    ] as const)
      await page.route(here.origin + path, (route) =>
        route.fulfill({ contentType: 'text/html', body }),
      );
    await signInAs(ann);
    await page.goto(`${here.origin}/shop`);
    await isOpenTabOf(ann, 1);
    await page.goto(`${here.origin}/other`);
    await isOpenTabOf(ann, 0);
  });
  afterEach(() => page.context().close());
  afterAll(() => chromium.close());

  async function signInAs({ browser }: ConnectedApp) {
    const [name = '', value = ''] = (browser.cookie ?? '').split('=');
    await page.context().addCookies([{ name, value, url: here.origin }]);
  }
  const isOpenTabOf = (app: ConnectedApp, count: 0 | 1) =>
    eventually(async () => {
      const { tabs } = (await app.have('list_tabs')) as { tabs: unknown[] };
      expect(tabs).toHaveLength(count);
    });
  /** Playwright waits in vain for the page to load, which is there already. */
  const goBack = async () => {
    await page.goBack({ waitUntil: 'commit' });
    const devTools = await page.context().newCDPSession(page);
    const run = async (expression: string) =>
      (await devTools.send('Runtime.evaluate', { expression })).result.value as unknown;
    expect(await run('wasKept')).toBe(true);
    return run;
  };

  it('is no open tab while it is left, and is one again afterwards', async () => {
    await goBack();
    await isOpenTabOf(ann, 1);
  });

  it('does not become a tab of another account until it asks for that', async () => {
    const bob = await ConnectedApp.connect(here);
    await signInAs(bob);
    const run = await goBack();
    await eventually(async () => expect(await run('client.hub.state')).toBe('signed-out'));
    await isOpenTabOf(bob, 0);
    await run('client.hub.open()');
    await isOpenTabOf(bob, 1);
  });
});
