import type { Page } from 'playwright-core';
import { AccountPage } from '../support/account-page.js';
import { startBuiltServer } from '../support/built-server.js';
import { useChromium } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { startForeignSite } from '../support/foreign-site.js';
import { useStarted } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { startTrafficLog } from '../support/traffic-log.js';

interface Init {
  readonly mode: 'cors' | 'no-cors';
  readonly method?: string;
  readonly body?: string;
}

const ME = '/svc/auth/me';
const SIGNED_OUT = '{"user":null,"budget":null}';
const POST_ROUTES = [
  'register/options',
  'register/verify',
  'login/options',
  'login/verify',
  'logout',
].map((route) => `/svc/auth/${route}`);

describe('a page on another port of localhost, to which Chromium sends the cookie', () => {
  const chromium = useChromium();
  const server = useStarted(() => startBuiltServer());
  const foreignSite = useStarted(startForeignSite);
  const traffic = useStarted(() => startTrafficLog(server.port));
  let account: AccountPage;
  let foreign: Page;

  beforeAll(async () => {
    const { page } = await chromium.open();
    account = new AccountPage(page, traffic.origin);
    await account.open();
    expect((await account.signUp('Ann')).status).toBe(200);
  });
  beforeEach(async () => {
    await account.open();
    foreign = await account.page.context().newPage();
    await foreign.goto(foreignSite.origin);
    traffic.take();
  });
  afterEach(() => foreign.close());

  /** Fetches from the foreign page; returns what its script can read. */
  const fetchThere = (url: string, init: Init) =>
    foreign.evaluate(
      async ([address, options]) => {
        try {
          const answer = await fetch(address, { ...options, credentials: 'include' });
          return { type: answer.type, text: await answer.text() };
        } catch (error) {
          return { type: (error as Error).name, text: '' };
        }
      },
      [url, init] as const,
    );

  const expectSignedOutAnswer = async () => {
    const { requests, answers } = traffic.take();
    expect(requests).toMatch(/^GET \/svc\/auth\/me /);
    expect(requests).toMatch(/\r\ncookie: session=/i);
    expect(answers).toMatch(/^HTTP\/1\.1 200 /);
    expect(answers).toContain(SIGNED_OUT);
    expect(answers).not.toContain('Ann');
    expect((await account.me()).user).toMatchObject({ displayName: 'Ann' });
  };

  it.each<[Init['mode'], string]>([
    ['cors', 'TypeError'],
    ['no-cors', 'opaque'],
  ])(
    'fetch in mode %s shows me signed out, and the page does not even see that',
    async (mode, type) => {
      expect(await fetchThere(traffic.origin + ME, { mode })).toEqual({ type, text: '' });
      await expectSignedOutAnswer();
    },
  );

  it('a link shows me signed out', async () => {
    await foreign.setContent(`<a href="${traffic.origin}${ME}">me</a>`);
    await foreign.click('a');
    await foreign.waitForURL(traffic.origin + ME);
    expect(await foreign.locator('body').innerText()).toContain(SIGNED_OUT);
  });

  it('a frame shows me signed out', async () => {
    const answered = foreign.waitForResponse(traffic.origin + ME);
    await foreign.setContent(`<iframe src="${traffic.origin}${ME}"></iframe>`);
    expect(await (await answered).text()).toBe(SIGNED_OUT);
  });

  it.each(POST_ROUTES)('403 for its POST to %s', async (path) => {
    const init = { method: 'POST', mode: 'no-cors', body: '{}' } as const;
    const answered = foreign.waitForResponse(traffic.origin + path);
    expect(await fetchThere(traffic.origin + path, init)).toEqual({ type: 'opaque', text: '' });
    expect((await answered).status()).toBe(403);
    expect((await account.me()).user).toMatchObject({ displayName: 'Ann' });
  });

  it('403 for its form, and the user stays signed in', async () => {
    const logout = `${traffic.origin}/svc/auth/logout`;
    await foreign.setContent(`<form method="post" action="${logout}"><button>Win</button></form>`);
    const answered = foreign.waitForResponse(logout);
    await foreign.click('button');
    expect((await answered).status()).toBe(403);
    expect((await account.me()).user).toMatchObject({ displayName: 'Ann' });
  });

  it('310 images use up what foreign pages may do, and nothing of what the person may', async () => {
    const path = '/svc/oauth/authorize';
    let answers = '';
    const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    const images = Array.from(
      { length: 310 },
      (_, n) => `<img src="${traffic.origin}${path}?${n}">`,
    );
    await foreign.setContent(images.join(''), { waitUntil: 'load' });
    await eventually(() => {
      answers += traffic.take().answers;
      expect(statuses()).toHaveLength(310);
    });
    expect(statuses().filter((status) => status !== '429')).toHaveLength(150);
    const beginSignIn = async () =>
      (await fetch('/svc/auth/login/options', { method: 'POST' })).status;
    expect(await account.page.evaluate(beginSignIn)).toBe(200);
  });

  it.each(['login', 'register'] as const)(
    'a %s ceremony with a challenge of ours, performed there, is refused by the service',
    async (ceremony) => {
      const { host } = new URL(traffic.origin);
      const post = (step: string, body: unknown) =>
        call(server.port, {
          method: 'POST',
          path: `/svc/auth/${ceremony}/${step}`,
          headers: { host, origin: traffic.origin },
          body: JSON.stringify(body),
        });
      const options = (await post('options', { displayName: 'Eve' })).json();
      await account.page.goto(foreignSite.origin);
      await account.page.bringToFront();
      const { response, refusal } = await account.respond(ceremony, options);
      expect(refusal).toBeUndefined();
      expect(response).toMatchObject({ type: 'public-key' });
      const answer = await post('verify', response);
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toContain('it answered for another site');
    },
  );
});
