import { BuiltInAccountPages } from '../account/account-pages.js';
import { type SignInLink } from '../layout/page.js';
import { builtInPageLanguages } from '../texts/languages.js';
import { signInPage } from './sign-in-page.js';

const site = { serviceName: 'Gatehouse', origin: 'https://gate.example' };
const user = { id: 'QW5u', displayName: 'Ann' };
const app = {
  app: { name: 'Notes', published: null },
  redirect: { uri: 'https://notes.example/' },
  extraFormActions: [],
};
const LINKS: SignInLink[] = [
  { text: `"><script>alert('&')</script>`, path: '/sso?a=1&b="x"' },
  { text: 'Staff', path: '/staff' },
];

const pages = new BuiltInAccountPages();
const german = { ...site, language: builtInPageLanguages.choose(['de']) };
const TRANSLATED: SignInLink = {
  text: 'Acme',
  texts: { 'de-AT': 'Servus', de: '<Acme>' },
  path: '/a',
};
type Links = readonly SignInLink[] | undefined;

/** A page without what differs each time. */
const fixed = (html: string) => html.replaceAll(/nonce="[\w-]+"/g, '');

describe.each<[string, string]>([
  ['the sign-in page', signInPage({ ...german, ...app, signInLinks: [TRANSLATED, ...LINKS] }).html],
  [
    'the account page',
    pages.account({ ...german, user, signInLinks: [TRANSLATED, ...LINKS] }).html,
  ],
])('%s in German', (_page, page) => {
  it('has the links in German, where they have a text in it', () => {
    expect([...page.matchAll(/<a .*?>(.*?)<\/a>/g)].map(([, text]) => text)).toEqual(
      expect.arrayContaining(['&lt;Acme&gt;', 'Staff']),
    );
    expect(page).not.toContain('Servus');
  });
});

describe.each<[string, (signInLinks?: Links) => string]>([
  ['the sign-in page', (signInLinks) => signInPage({ ...site, ...app, signInLinks }).html],
  ['the account page, signed out', (signInLinks) => pages.signedOut({ ...site, signInLinks }).html],
  ['the account page', (signInLinks) => pages.account({ ...site, user, signInLinks }).html],
])('%s', (_page, render) => {
  it('is the same without links as without any mention of them', () => {
    expect(fixed(render([]))).toBe(fixed(render()));
    expect(render()).not.toContain('sign-in-links');
  });

  it('differs with links by these and their style alone', () => {
    const without = fixed(render(LINKS))
      .replace(/<ul class="sign-in-links">[^]*?<\/ul>/, '')
      .replace(/\n\.sign-in-links \{[^]*?\n\.decision \.sign-in-links \{.*\n/, '');
    const isSame = without.replaceAll(/\s+/g, ' ') === fixed(render()).replaceAll(/\s+/g, ' ');
    expect(isSame).toBe(true);
  });

  it('escapes their texts and paths', () => {
    const [list = ''] = /<ul class="sign-in-links">[^]*?<\/ul>/.exec(render(LINKS)) ?? [];
    expect([...list.matchAll(/<a .*?<\/a>/g)].map(([link]) => link)).toEqual([
      '<a href="/sso?a=1&amp;b=&quot;x&quot;" dir="auto">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
      '<a href="/staff" dir="auto">Staff</a>',
    ]);
  });
});
