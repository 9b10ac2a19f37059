import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '#libs/platform/testing';
import { problemsInEveryLook } from '../support/accessibility.js';
import { PATHS, startAppPages } from '../support/app-pages.js';
import { startChromium, VirtualAuthenticator } from '../support/chromium.js';
import { recordComplaints } from '../support/complaints.js';
import { requestOptions } from '../support/page-fixture.js';

const REQUEST = '/en/svc/account/requests/request1';

describe('the pages of an app and of its requests in Chromium', () => {
  let server: Awaited<ReturnType<typeof startAppPages>>;
  let chromium: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    [server, chromium] = await Promise.all([startAppPages(), startChromium()]);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });
  afterAll(async () => {
    await chromium.close();
    await server.stop();
  });

  const open = async (path: string, options: BrowserContextOptions = {}) => {
    page = await (await chromium.newContext(options)).newPage();
    complaints = recordComplaints(page);
    await page.goto(server.origin + path);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The fields of the form that the action posts. */
  const posted = async (act: () => Promise<void>) => {
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await act();
    const request = await sent;
    const { pathname } = new URL(request.url());
    return [pathname, [...new URLSearchParams(request.postData() ?? '')]];
  };

  it.each(PATHS.flatMap((path) => ['en', 'de', 'he'].map((tag) => `/${tag}${path}`)))(
    '%s is accessible in every look, keeps to its policy and its width',
    async (path) => {
      await open(path);
      for (const more of await page.locator('summary').all()) await more.click();
      expect(await problemsInEveryLook(page)).toEqual([]);
    },
  );

  it('without script all forms of an app work, by keyboard alone', async () => {
    await open('/en/app', { javaScriptEnabled: false });
    const address = '/svc/account/apps/grant1';
    await page.route(/\/svc\/account\/apps\//, (route) =>
      route.fulfill({ status: route.request().method() === 'POST' ? 204 : 200 }),
    );
    const group = page.getByRole('group', { name: 'Run code for you, using your daily credits' });
    await group.getByRole('radio', { name: 'Off' }).press('ArrowUp');
    await page.getByRole('checkbox', { name: 'It may ask for more' }).press('Space');
    expect(await posted(() => button('Save permissions').press('Enter'))).toEqual([
      address,
      [
        ['act', 'permissions'],
        ['permission:account:read', 'allow'],
        ['permission:tabs:write', 'ask'],
        ['permission:code:run', 'ask'],
      ],
    ]);
    await page.goto(`${server.origin}/en/app`);
    await page.getByLabel('Credits per day').fill('10');
    await page.getByLabel('Last day of access').fill('2027-01-31');
    expect(await posted(() => button('Save limits').press('Enter'))).toEqual([
      address,
      [
        ['act', 'limits'],
        ['dailyCredits', '10'],
        ['endsOn', '2027-01-31'],
      ],
    ]);
    await page.goto(`${server.origin}/en/app`);
    expect(await button('Disconnect now').isVisible()).toBe(false);
    await page.locator('summary').press('Enter');
    expect(await posted(() => button('Disconnect now').press('Enter'))).toEqual([
      address,
      [['act', 'disconnect']],
    ]);
    await page.goto(`${server.origin}/en/app`);
    await page.getByLabel('Action', { exact: true }).selectOption('run_code');
    await button('Show').press('Enter');
    await page.waitForURL('**/svc/account/apps/grant1?tool=run_code#calls');
  });

  it('a message has the focus, and times are those of the reader', async () => {
    await open('/en/app-paused', { timezoneId: 'Asia/Tokyo' });
    expect(await page.evaluate('document.activeElement.id')).toBe('message');
    expect(await page.locator('time').first().innerText()).toMatch(/^Oct 9, 2026, 8:06.PM$/);
    await page.goto(`${server.origin}/he/app`);
    expect(await page.locator('time').first().innerText()).toMatch(/^9 באוק׳ 2026, 20:06$/);
  });

  it('a change that needs a fresh sign-in leads through one', async () => {
    await open('/en/app-stopped?x=1');
    await VirtualAuthenticator.plugInto(page);
    await page.route('**/svc/auth/**', (route) =>
      route.request().url().endsWith('options')
        ? route.fulfill({ json: requestOptions })
        : route.fulfill({ status: 503, json: {} }),
    );
    await button('Use a passkey').click();
    await page.getByRole('status').filter({ hasText: 'Canceled or timed out.' }).waitFor();
    expect(await button('Use a passkey').isEnabled()).toBe(true);
  });

  describe('a request', () => {
    it.each([
      ['Allow once', 'once'],
      ['Always allow', 'always'],
      ['Don’t allow', 'no'],
    ])('%s without script', async (name, decision) => {
      await open('/en/request', { javaScriptEnabled: false });
      expect(await posted(() => button(name).click())).toEqual([
        '/svc/account/requests/request1',
        [['decision', decision]],
      ]);
    });

    it('without script a passkey cannot allow, which is said, and refusing works', async () => {
      await open('/en/request-passkey', { javaScriptEnabled: false });
      expect(await page.locator('noscript').innerText()).toContain('Passkeys need JavaScript');
      expect(await button('Allow once').isDisabled()).toBe(true);
      expect(await posted(() => button('Don’t allow').click())).toEqual([
        '/svc/account/requests/request1',
        [['decision', 'no']],
      ]);
    });

    it('is answered once, however often the button is pressed', async () => {
      await open('/en/request');
      const answers: (string | null)[] = [];
      await page.route('**/svc/account/requests/*', (route) => {
        answers.push(route.request().postData());
        return route.fulfill({ status: 204 });
      });
      await button('Allow once').dblclick();
      await page.getByRole('status').filter({ hasText: 'Sending your answer' }).waitFor();
      await eventually(() => expect(answers).toEqual(['decision=once']));
    });

    describe('with a passkey', () => {
      let asked: { readonly path: string; readonly body: unknown }[];
      let authenticator: VirtualAuthenticator;
      let answer: { readonly status: number; readonly json: object };

      beforeEach(async () => {
        asked = [];
        answer = { status: 200, json: {} };
        await open('/en/request-passkey');
        authenticator = await VirtualAuthenticator.plugInto(page);
        await page.route('**/svc/me/requests/**', (route) => {
          const path = new URL(route.request().url()).pathname;
          asked.push({ path, body: route.request().postDataJSON() as unknown });
          return path.endsWith('/options')
            ? route.fulfill({ json: requestOptions })
            : route.fulfill(answer);
        });
        await page.route(`**${REQUEST}`, (route) =>
          route.continue({ url: `${server.origin}/en/request-passkey` }),
        );
        await page.goto(server.origin + REQUEST);
      });
      const said = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();

      it('the answer goes with an assertion to the options of this request', async () => {
        await authenticator.keepPasskey('localhost', 'QW5u');
        const loaded = page.waitForEvent('load');
        await button('Allow once').click();
        await loaded;
        expect(asked.map(({ path }) => path)).toEqual([
          '/en/svc/me/requests/request1/options',
          '/en/svc/me/requests/request1',
        ]);
        expect(asked[0]?.body).toBeNull();
        expect(asked[1]?.body).toMatchObject({
          decision: 'once',
          assertion: { type: 'public-key', response: { userHandle: 'QW5u' } },
        });
      });

      it('cancelled: nothing is sent, and it can be tried again', async () => {
        await authenticator.verifiesUser(false);
        await button('Allow once').click();
        await said('Nothing has changed. You can try again.');
        expect(asked).toHaveLength(1);
        expect(await page.locator('button:visible:disabled').count()).toBe(0);
        expect(await problemsInEveryLook(page)).toEqual([]);
      });

      it('refused: why is said; answered elsewhere: the page is loaded again', async () => {
        await authenticator.keepPasskey('localhost', 'QW5u');
        answer = { status: 403, json: { error: 'this passkey belongs to another account' } };
        await button('Allow once').click();
        await said('That didn’t work: this passkey belongs to another account');
        answer = { status: 409, json: { error: 'the request has ended' } };
        const loaded = page.waitForEvent('load');
        await button('Allow once').click();
        await loaded;
      });
    });
  });
});
