import type { BrowserContext, WebSocketRoute } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { SitePage, startDemo } from './site-fixture.js';

const TAB = { id: 'own', title: 'Try Gatehouse', url: '', connectedAt: '2026-01-01T00:00:00.000Z' };

/** The page with a hub that the spec controls. */
describe('the example site and its hub', () => {
  const chromium = useChromium();
  const demo = useStarted(() => startDemo());
  let site: SitePage;
  let connections: WebSocketRoute[];
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;

  beforeAll(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
    await site.signUp();
    signedIn = await site.context.storageState();
    await site.context.close();
  });
  afterEach(() => site.context.close());

  const say = (event: string, data: unknown) =>
    connections.at(-1)?.send(JSON.stringify({ event, data }));
  const state = (text: string) =>
    eventually(async () => expect(await site.text('hub-state')).toContain(text));

  const focused = () =>
    site.page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.id);

  const openSignedIn = async () => {
    connections = [];
    site = await SitePage.create(chromium.launched(), demo.origin, { storageState: signedIn });
    await site.page.routeWebSocket('**/svc/me/tabs', (connection) => {
      connections.push(connection);
      connection.onMessage((text) => {
        const { event, data } = JSON.parse(String(text)) as { event: string; data?: unknown };
        // Those of lists; the others are left to the tests.
        if (event === 'ping' && data) say('pong', data);
      });
      say('welcome', { tabId: TAB.id, tabs: [TAB] });
    });
    await site.open();
    await state('Connected');
  };

  it('opens the page of a request that the hub tells of in a window of its own', async () => {
    await openSignedIn();
    const run = <Result>(code: string) =>
      site.page.evaluate<Result>(
        `(async () => { const { hub, reviewRequest } = await import('/svc/client.js'); ${code} })()`,
      );
    say('requests', { requests: [{ id: 'a/b', app: 'Painter', title: 'Paint', passkey: false }] });
    await eventually(async () => expect(await run('return hub.requests.length;')).toBe(1));
    const opened = site.page.waitForEvent('popup');
    expect(await run('return reviewRequest(hub.requests[0].id);')).toBe(true);
    const review = await opened;
    await review.waitForURL(`${demo.origin}/svc/account/requests/a%2Fb`);
    await review.close();
    expect(await run(`window.open = () => null; return reviewRequest('a');`)).toBe(false);
    expect(site.page.url()).toBe(`${demo.origin}/connect/`);
  });

  it('shows a request until it is answered, says it once, and keeps the focus', async () => {
    await openSignedIn();
    const paint = { id: 'a', app: 'Painter', title: '<b>Paint</b>', passkey: false };
    const write = { id: 'b', app: 'Writer', title: 'Write', passkey: false };
    const banners = () => site.page.locator('#requests > div');
    say('requests', { requests: [paint] });
    await banners().getByText('Painter asks: <b>Paint</b>').waitFor();
    await site.button('Review: <b>Paint</b>').focus();
    say('requests', { requests: [write, paint] });
    await banners().getByText('Writer asks: Write').waitFor();
    expect(await focused()).toBe('Review: <b>Paint</b>');
    expect(await problemsInEveryLook(site.page)).toEqual([]);
    say('requests', { requests: [write] });
    await eventually(async () => expect(await banners().count()).toBe(1));
    expect(await focused()).toBe('requests');
    await site.page.evaluate('void (window.open = () => null)');
    await site.button('Review: Write').click();
    expect(await site.text('status')).toContain('Your browser blocked the window.');
    await connections[0]?.close({ code: 4401 });
    await site.heading('Sign in').waitFor();
    expect(await banners().count()).toBe(0);
    expect(site.complaints).toEqual([]);
  });

  it.each([1001, 1011, 1013, 4408])('comes back after %i', async (code) => {
    await openSignedIn();
    await connections[0]?.close({ code });
    await eventually(() => expect(connections).toHaveLength(2));
    await state('Connected');
    expect(site.complaints).toEqual([]);
  });

  it('comes back when nothing is heard for two pings', async () => {
    await openSignedIn();
    await site.page.clock.install();
    await connections[0]?.close({ code: 1001 });
    for (let seconds = 0; connections.length < 3; seconds += 1) {
      expect(seconds).toBeLessThan(300);
      await site.page.clock.runFor(1_000);
    }
    await state('Connected');
  });

  it('comes back more slowly when it is welcomed and sent away again and again', async () => {
    await openSignedIn();
    await site.page.evaluate('Math.random = () => 1');
    // Stands still between the steps below, whatever their duration.
    await site.page.clock.install({ time: 0 });
    await site.page.clock.pauseAt(10_000);
    const waitedSeconds: number[] = [];
    for (let round = 1; round <= 7; round += 1) {
      await connections.at(-1)?.close({ code: 1013 });
      await state('Connection lost');
      let seconds = 0;
      for (; connections.length === round; seconds += 1) await site.page.clock.runFor(1_000);
      waitedSeconds.push(seconds);
      await state('Connected');
    }
    // The page's clock advances while a connection is being opened, so there is no upper limit.
    expect(waitedSeconds[6]).toBeGreaterThanOrEqual(15);
    expect(waitedSeconds[6]).toBeGreaterThan(waitedSeconds[0] ?? 0);
  });

  it('stays connected as long as its pings are answered', async () => {
    await openSignedIn();
    await site.page.clock.install();
    await connections[0]?.close({ code: 1001 });
    await site.page.clock.runFor(1_000);
    await eventually(() => expect(connections).toHaveLength(2));
    let pings = 0;
    connections[1]?.onMessage((text) => {
      if ((JSON.parse(String(text)) as { event: string }).event !== 'ping') return;
      pings += 1;
      say('pong', null);
    });
    for (const expected of [1, 2, 3]) {
      await site.page.clock.runFor(20_000);
      await eventually(() => expect(pings).toBeGreaterThanOrEqual(expected));
    }
    expect(connections).toHaveLength(2);
  });

  it('shows that the session has ended, and stays away', async () => {
    await openSignedIn();
    await site.page.clock.install();
    await connections[0]?.close({ code: 4401 });
    await site.heading('Sign in').waitFor();
    await site.page.clock.runFor(120_000);
    expect(connections).toHaveLength(1);
  });

  it('the page says that there are too many tabs, and waits for the button', async () => {
    await openSignedIn();
    await site.page.clock.install();
    await connections[0]?.close({ code: 4429 });
    await state('too many tabs');
    await site.page.clock.runFor(120_000);
    expect(connections).toHaveLength(1);
    await site.button('Reconnect').click();
    await state('Connected');
    expect(connections).toHaveLength(2);
  });

  it('does not claim that a refused message was delivered', async () => {
    await openSignedIn();
    connections[0]?.onMessage(() => say('error', { code: 'unknown_tab', message: 'no such tab' }));
    await site.page.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
    await site.button('Send').click();
    await eventually(async () =>
      expect(await site.text('status')).toBe('The message may not have arrived: no such tab.'),
    );
    expect(
      await site.page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(),
    ).toBe('hello');
  });

  it('is accessible and keeps to its width in every look, signed out', async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
    await site.open();
    await site.heading('Sign in').waitFor();
    expect(await problemsInEveryLook(site.page)).toEqual([]);
  });

  it('… and signed in, in every colour', async () => {
    await openSignedIn();
    const long = 'w'.repeat(200);
    say('tabs', { tabs: [TAB, { ...TAB, id: 'other', title: long, url: `http://${long}` }] });
    say('message', { from: 'other', body: long });
    say('message', { from: null, app: long, body: { long } });
    const request = { app: long, expiresAt: '2100-01-01T00:00:00.000Z' };
    say('request', { ...request, id: '1', method: 'say', params: { text: long } });
    for (const color of ['teal', 'black', 'white', 'yellow']) {
      say('request', { ...request, id: color, method: 'set_color', params: { color } });
      await eventually(async () => expect(await site.text('color')).toBe(color));
      expect({ color, problems: await problemsInEveryLook(site.page) }).toEqual({
        color,
        problems: [],
      });
    }
    expect(site.complaints).toEqual([]);
  });
});

declare const document: {
  readonly activeElement: { readonly ariaLabel: string | null; readonly id: string } | null;
};
