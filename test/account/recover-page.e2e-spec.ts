import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { signedUp } from './own-account.js';

const PAGE = '/svc/account/recover';
const ACCOUNT = '/svc/account';
const PROMPT = 'id="recovered"';

/** The security headers, without the nonce of this page. */
const policiesOf = (headers: object) =>
  Object.entries(headers)
    .filter(([name]) => /^(content-|cache-|referrer-|x-(?!request))/.test(name))
    .map(([name, value]) => [name, String(value).replaceAll(/'nonce-[\w-]{22}'/g, 'nonce')])
    .filter(([name]) => name !== 'content-length');

describe('GET /svc/account/recover (contract: Account page)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SERVICE_NAME: 'Acme' }));
  let ann: Browser;

  beforeEach(async () => {
    ann = await signedUp(gatehouse, 'Ann <b>');
  });

  it('is a form that sends nothing by itself, with the headers of the account page', async () => {
    const { status, headers, text } = await new Browser(gatehouse).get(PAGE);
    expect(status).toBe(200);
    expect(text).toContain('<title>Recover your account &#8211; Acme</title>');
    expect(text).toMatch(/<form id="recover" method="post">/);
    expect(/<input\b[^>]*>/.exec(text)?.[0]).not.toMatch(/ name=| value=/);
    expect(text).toMatch(/<button [^>]*\bdisabled>/);
    const signedOut = await new Browser(gatehouse).get(ACCOUNT);
    expect(policiesOf(headers)).toEqual(policiesOf(signedOut.headers));
  });

  it('tells a person who is signed in so, the name escaped', async () => {
    const { text } = await ann.get(PAGE);
    expect(text).toContain('re signed in as <strong><bdi>Ann &lt;b&gt;</bdi></strong>');
    expect((await new Browser(gatehouse).get(PAGE)).text).not.toContain('re signed in as');
  });

  it('a link from another site finds one signed out', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const { status, text } = await ann.get(PAGE, { ...headers, 'sec-fetch-dest': 'document' });
    expect(status).toBe(200);
    expect(text).not.toContain('re signed in as');
  });

  it('405 | any method but GET and HEAD', async () => {
    const { status, headers } = await ann.send('POST', PAGE);
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('leads on to a page that asks for a passkey first; no other session does', async () => {
    const { codes } = (await ann.post('/svc/me/recovery-codes')).json<{ codes: string[] }>();
    expect((await ann.get(ACCOUNT)).text).not.toContain(PROMPT);
    const lost = new Browser(gatehouse);
    await lost.post('/svc/recovery', { code: codes[0] ?? '' });
    const { text } = await lost.get(ACCOUNT);
    expect(text).toContain(PROMPT);
    expect(text.indexOf(PROMPT)).toBeLessThan(text.indexOf('id="passkeys"'));
    expect(Number(/data-since="(\d+)"/.exec(text)?.[1])).toBeCloseTo(Date.now() / 1000, -2);
    await ann.signIn();
    expect((await ann.get(ACCOUNT)).text).not.toContain(PROMPT);
  });
});
