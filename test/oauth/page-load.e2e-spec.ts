import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const DOCUMENT = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SCRIPT = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
};

describe('who gets the form (contract: Authorization page)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  const ask = (headers: Record<string, string>, whose = browser) =>
    whose.get(client.authorizePath(), headers);

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
  });

  // The recognition of page loads has a unit spec of its own.
  it.each<[string, Record<string, string>]>([
    ['a load from a link', DOCUMENT],
    ['a load from a link, without Fetch Metadata', { referer: 'https://elsewhere.example/' }],
    ['what is no browser, such as the fetch of Node', { 'sec-fetch-mode': 'cors' }],
  ])('%s: the form', async (_what, headers) => {
    expect((await ask(headers)).text).toContain('name="handle"');
  });

  it.each<[string, Record<string, string>]>([
    ['a script', SCRIPT],
    ['a frame', { ...SCRIPT, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a preload for a service worker', { ...DOCUMENT, 'service-worker-navigation-preload': 'x' }],
    ['a destination that is missing', { 'sec-fetch-site': 'same-origin' }],
  ])('%s: a page without form or ceremony, signed in or out', async (_what, headers) => {
    for (const whose of [browser, new Browser(gatehouse)]) {
      const page = await ask(headers, whose);
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
      expect(page.text).toContain('Open this page in a tab');
      expect(page.text).not.toMatch(/<form|<button|<input|<script|handle/);
    }
  });

  it('windows and stored data of the site are left alone', async () => {
    for (const page of [await ask(DOCUMENT), await ask(SCRIPT)]) {
      expect(page.headers['cross-origin-opener-policy']).toBeUndefined();
      expect(page.headers['clear-site-data']).toBeUndefined();
    }
  });

  it('a form whose answer a service worker passes on counts', async () => {
    const handle = await client.showConsent(browser);
    const given = await browser.post(
      '/svc/oauth/authorize',
      `handle=${handle}&scope=account%3Aread&decision=approve`,
      { ...FORM, ...SCRIPT, 'sec-fetch-mode': 'navigate' },
    );
    expect(given.status).toBe(302);
  });

  it('an answer that a script sends is 403, and the form is good afterwards', async () => {
    const handle = await client.showConsent(browser);
    const answer = (headers: Record<string, string>) =>
      browser.post(
        '/svc/oauth/authorize',
        `handle=${handle}&scope=account%3Aread&decision=approve`,
        { ...FORM, ...headers },
      );
    for (const headers of [SCRIPT, { ...DOCUMENT, ...SCRIPT, 'sec-fetch-dest': 'iframe' }]) {
      const refused = await answer(headers);
      expect([refused.status, refused.headers.location]).toEqual([403, undefined]);
      expect(refused.headers['content-type']).toMatch(/^text\/plain/);
    }
    const sent = { ...DOCUMENT, 'sec-fetch-site': 'same-origin', origin: gatehouse.origin };
    expect((await answer(sent)).status).toBe(302);
  });
});
