import { openInTabPage } from '../pages/open-in-tab-page.js';
import { signInPage } from '../pages/sign-in-page.js';
import { builtInPageLanguages } from '../texts/page-languages.js';
import { type Brand, checkedBrand } from './brand.js';

const context = {
  serviceName: 'Acme "1"',
  app: { name: 'Robot', published: null },
  redirect: { uri: 'https://app.example/cb' },
  extraFormActions: [],
  origin: 'https://gate.example',
};
const link = (href: string, label = 'Imprint') => ({ links: [{ label, href }] });

describe('a brand', () => {
  it('has its style after the built-in one and its emblem in place of ours', () => {
    const brand = { style: ':root { --accent: #b00020; }', emblem: '<svg id="acme"></svg>' };
    const { html } = signInPage({ ...context, brand });
    const [style = ''] = /<style[^]*?<\/style>/.exec(html) ?? [];
    expect(style.lastIndexOf('--accent:')).toBe(style.indexOf(':root { --accent: #b00020; }') + 8);
    expect(html).toContain('<header><a href="/"><svg id="acme"></svg>');
    expect(html).not.toContain('viewBox');
  });

  it('has a logo in place of emblem and name, which is called by the name', () => {
    const { html } = signInPage({ ...context, brand: { logo: '<svg id="acme" />' } });
    const [header] = /<header>[^]*?<\/header>/.exec(html) ?? [];
    expect(header).toBe(
      '<header><a href="/"><span class="logo" role="img" aria-label="Acme &quot;1&quot;"><svg id="acme" /></span></a></header>',
    );
  });

  it.each(['https://acme.example/home?a=1', '/home'])('leads to %s from every page', (website) => {
    for (const { html } of [
      signInPage({ ...context, brand: { website } }),
      openInTabPage({ ...context, brand: { website }, link: '/' }),
    ]) {
      expect(html).toContain(`<header><a href="${website}">`);
    }
  });

  it('has its accent after every style', () => {
    const brand = { accent: '#b00020', style: ':root { --accent: blue; }' };
    const { html } = signInPage({ ...context, brand });
    const [style = ''] = /<style[^]*?<\/style>/.exec(html) ?? [];
    expect(style.lastIndexOf('--accent: blue')).toBeLessThan(style.indexOf('--accent: #b00020'));
  });

  it('has links at the foot of every page, in its language and escaped', () => {
    const links = [
      {
        label: 'Legal & more',
        href: 'https://acme.example/legal?a=1&b=2',
        texts: { de: 'Impressum' },
      },
      { label: 'Privacy', href: '/privacy' },
    ];
    const foot = (html: string) => /<footer>[^]*<\/footer>/.exec(html)?.[0];
    const english = foot(signInPage({ ...context, brand: { links } }).html);
    expect(english).toContain(
      '<a href="https://acme.example/legal?a=1&amp;b=2">Legal &amp; more</a>',
    );
    const language = builtInPageLanguages.choose(['de']);
    const page = openInTabPage({ ...context, brand: { links }, language, link: '/' });
    expect(foot(page.html)).toMatch(/>Impressum<[^]*<a href="\/privacy">Privacy</);
    expect(foot(signInPage(context).html)).toBeUndefined();
  });

  it.each<[string, Brand]>([
    ['brand.style is not fit for a style element', { style: '</style><script>alert(1)</script>' }],
    ['brand.style is not fit for a style element', { style: '<!--' }],
    ['brand.emblem has onload, which the policy stops', { emblem: '<svg onload="x" />' }],
    ['brand.logo has <script>, which a drawing does without', { logo: '<svg><script /></svg>' }],
    ['brand.links: a label is empty', link('/imprint', ' ')],
    ['brand.website takes an https address or a path', { website: 'javascript:alert(1)' }],
    ['brand.website takes an https address or a path', { website: '//evil.example/' }],
    ['brand.accent takes #rrggbb with a contrast of 4.5 to 1 against white', { accent: '#777777' }],
    ['brand.accent takes #rrggbb with', { accent: '#000000; } body { display: none' }],
    ...[
      'javascript:alert(1)',
      'http://acme.example/',
      'https://user:password@acme.example/',
      '//evil.example/',
      String.raw`/\evil.example/`,
      '/\t/evil.example',
      'imprint',
      '',
    ].map((href): [string, Brand] => [
      'brand.links: "Imprint" takes an https address or a path',
      link(href),
    ]),
  ])('cannot be used: %s', (message, brand) => {
    expect(() => checkedBrand(brand)).toThrow(message);
    expect(() => signInPage({ ...context, brand })).toThrow(TypeError);
  });
});
