import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { signedUp } from './own-account.js';

const PAGE = '/svc/account';
const FOREIGN = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

describe('GET /svc/account (contract: Account page)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SERVICE_NAME: 'Acme' }));
  let browser: Browser;

  beforeAll(async () => {
    browser = await signedUp(gatehouse, 'Ann <b>');
  });

  it('signed out: sign in, create an account, or recover one', async () => {
    const { status, text } = await new Browser(gatehouse).get(PAGE);
    expect(status).toBe(200);
    expect(text).toContain('<title>Sign in &#8211; Acme</title>');
    expect(text).toMatch(/<form id="create-account">/);
    expect(text).toContain('href="/svc/account/recover"');
    expect(text).not.toContain('id="sign-out"');
  });

  it('signed in: the account, its name escaped', async () => {
    const { status, text } = await browser.get(PAGE);
    expect(status).toBe(200);
    expect(text).toContain('<title>Your account &#8211; Acme</title>');
    expect(text).toContain('<bdi>Ann &lt;b&gt;</bdi>');
    expect(text).toContain('id="sign-out"');
    expect(text).not.toContain('id="create-account"');
  });

  it.each(['signed in', 'signed out'])('%s: the headers of the authorize page', async (state) => {
    const { headers, text } = await (state === 'signed in' ? browser : new Browser(gatehouse)).get(
      PAGE,
    );
    const nonce = /<script nonce="([\w-]{22})">/.exec(text)?.[1];
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  const isSignedIn = async (headers: Record<string, string>) =>
    (await browser.get(PAGE, headers)).text.includes('id="sign-out"');

  it('a link from another site finds one signed in', async () => {
    expect(await isSignedIn(FOREIGN)).toBe(true);
  });

  it.each([
    ['a frame', { ...FOREIGN, 'sec-fetch-dest': 'iframe' }],
    ['a script', { ...FOREIGN, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a form', { ...FOREIGN, origin: 'https://evil.example' }],
  ])('%s of another site finds one signed out', async (_way, headers: Record<string, string>) => {
    expect(await isSignedIn(headers)).toBe(false);
  });

  it.each(['POST', 'OPTIONS'])('405 | %s', async (method) => {
    const { status, headers, text } = await browser.send(method, PAGE);
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(text).toBe('this address takes GET only');
  });

  it('HEAD has the headers and no page', async () => {
    const { status, headers, text } = await browser.send('HEAD', PAGE);
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each([`${PAGE}//`, `${PAGE}/x`, '/svc/Account', `${PAGE}/recover//`])(
    '404 | %s',
    async (path) => {
      expect((await browser.get(path)).status).toBe(404);
    },
  );
});
