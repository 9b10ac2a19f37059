import { readFileSync } from 'node:fs';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';

interface BackEnd {
  userOf(request: { readonly headers: object }): Promise<{ displayName: string } | null>;
  isFromOwnPage(request: { readonly headers: object }, origin: string): boolean;
}

const DOCUMENT = new URL('../../docs/guides/sign-in.md', import.meta.url);
const [, snippet = ''] = /^```js\n([^]*?)^```$/m.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];

describe('the back end of docs/guides/sign-in.md (contract: Account status)', () => {
  const gatehouse = useGatehouse();
  let backEnd: BackEnd;

  beforeAll(async () => {
    const source = snippet.replace('http://localhost:8080', gatehouse.origin);
    expect(source).toContain(`'${gatehouse.origin}'`);
    backEnd = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as BackEnd;
  });

  it('learns who is signed in by the cookie of a request', async () => {
    const browser = new Browser(gatehouse);
    expect(await backEnd.userOf({ headers: {} })).toBeNull();
    await browser.signUp('Ann');
    const { cookie } = browser;
    expect(await backEnd.userOf({ headers: { cookie } })).toMatchObject({ displayName: 'Ann' });
    await browser.post('/svc/auth/logout');
    expect(await backEnd.userOf({ headers: { cookie } })).toBeNull();
  });

  it.each([
    ['its Origin is that of the site', { origin: 'https://gate.example' }, true],
    ['it has none and comes from the same origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['its Origin is another one', { origin: 'https://evil.example' }, false],
    ['it has none and comes from another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['nothing says where it comes from', {}, false],
  ])('takes a change only from its own pages: %s', (_case, headers, expected) => {
    expect(backEnd.isFromOwnPage({ headers }, 'https://gate.example')).toBe(expected);
  });
});
