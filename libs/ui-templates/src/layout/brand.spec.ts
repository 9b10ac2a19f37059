import { openInTabPage } from '../pages/open-in-tab-page.js';
import { signInPage } from '../pages/sign-in-page.js';
import { builtInPageLanguages } from '../texts/languages.js';
import { accentStyle, type Brand, BrandError, checkedBrand, inlineSvg, isAccent } from './brand.js';

describe('an accent', () => {
  it.each(['#1c5d86', '#767676', '#8A1538', '#000000', '#0000ff'])('is %s', (color) => {
    expect(isAccent(color)).toBe(true);
  });

  it.each(['#777777', '#ffffff', '#ff0000', '#18f', '1c5d86', '#1c5d8', '#1c5d866', '#1c5d8g', ''])(
    'is not "%s"',
    (color) => expect(isAccent(color)).toBe(false),
  );

  it('stays as it is where it can be read, and is lighter in the dark', () => {
    expect(accentStyle('#8a1538').match(/--accent: (#\w+)/g)).toEqual([
      '--accent: #8a1538',
      expect.stringMatching(/--accent: #[c-f]/),
    ]);
  });

  it('is a little darker where it can just be read on white', () => {
    expect(accentStyle('#767676')).toMatch(/--accent: #6[a-f0-9]6/);
  });

  it('has white on it, and something dark on its light shade', () => {
    expect(accentStyle('#000000').match(/--on-accent: #\w+/g)).toEqual([
      '--on-accent: #ffffff',
      '--on-accent: #12161a',
    ]);
  });
});

const inside = (markup: string) => `<svg viewBox="0 0 9 9">${markup}</svg>`;

describe('inline SVG', () => {
  it.each([
    '<svg/>',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink='http://www.w3.org/1999/xlink' />`,
    inside('<path d="M0 0L9 9" fill="none" stroke-width=\'2\'/>\n<g id="a"><circle r="1" /></g>'),
    inside(
      '<defs><linearGradient id="x-1"><stop offset="0" stop-color="rgb(1, 2, 3)"/></linearGradient></defs><rect fill="url(#x-1)" transform="translate(1 2) rotate(4)"/>',
    ),
    inside('<symbol id="s"><rect /></symbol><use href="#s" /><use xlink:href="#s" />'),
    inside('<title>Acme &amp; sons</title><text xml:space="preserve">A <tspan>b</tspan></text>'),
  ])('draws: %s', (svg) => {
    expect(String(inlineSvg(` ${svg}\n`))).toBe(svg);
  });

  it.each([
    ['a script', inside('<script>alert(1)</script>')],
    ['a script in capitals', inside('<SCRIPT></SCRIPT>')],
    ['HTML inside', inside('<foreignObject><img /></foreignObject>')],
    ['HTML in a title, where a browser would read it as such', inside('<title><g /></title>')],
    ['an image', inside('<image href="#a" />')],
    ['an image of a filter', inside('<filter><feImage href="#a" /></filter>')],
    ['an element that ends the drawing', inside('<p></p>')],
    ['a style element', inside('<style></style>')],
    ['a link', inside('<a href="#a"></a>')],
    ['what moves', inside('<animate attributeName="href" to="javascript:alert(1)" />')],
    ['what is set later', inside('<set attributeName="onload" to="alert(1)" />')],
    ['a handler', '<svg onload="alert(1)" />'],
    ['a handler in capitals', '<svg ONLOAD="alert(1)" />'],
    ['a handler that calls nothing', '<svg onload="location = name" />'],
    ['a handler without quotes', '<svg onload=alert(1) />'],
    ['a handler after a slash', '<svg/onload="alert(1)" />'],
    ['a handler in quotes that are none to a browser', '<svg id=\u00a0"a onload=alert`1` " />'],
    ['a handler in a value that is none to a browser', '<svg\u2003id="a onload=alert`1` " />'],
    ['space that is none to a browser', '<svg id="a"\ufeff/>'],
    ['a style', '<svg style="fill: red" />'],
    ['a reference to elsewhere', inside('<use href="https://evil.example/a.svg#x" />')],
    ['a reference that is a script', inside('<use xlink:href="javascript:alert(1)" />')],
    ['a reference of characters by number', inside('<use href="&#35;x" />')],
    ['data', inside('<use href="data:image/svg+xml,x#y" />')],
    ['a paint from elsewhere', inside('<rect fill="url(https://evil.example/#x)" />')],
    ['a paint in quotes', inside(`<rect fill="url('//evil.example/#x')" />`)],
    ['a paint in capitals', inside('<rect fill="URL(//evil.example/#x)" />')],
    ['a paint with an escape', inside(String.raw`<rect fill="\75rl(//evil.example)" />`)],
    ['a paint with a character by number', inside('<rect fill="&#117;rl(//evil.example)" />')],
    ['an image of CSS', inside('<rect fill="image-set(//evil.example)" />')],
    ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml" />'],
    ['base', inside('<rect xml:base="https://evil.example" />')],
    ['an entity of its own', '<!DOCTYPE svg [<!ENTITY x "y">]><svg />'],
    ['an instruction', '<?xml-stylesheet href="x"?><svg />'],
    ['a comment', '<svg><!-- --></svg>'],
    ['CDATA', inside('<text><![CDATA[<script>]]></text>')],
    ['two drawings', '<svg /><svg />'],
    ['something after it', '<svg /><script>alert(1)</script>'],
    ['text after it', '<svg />x'],
    ['text beside shapes', inside('x')],
    ['another element', '<g />'],
    ['no end', '<svg><g></g>'],
    ['ends that cross', '<svg><g></svg></g>'],
    ['an end alone', '</svg>'],
    ['nothing', ''],
    ['a bracket in a value', '<svg class="a>b" />'],
    ['too much', inside('<g />'.repeat(8000))],
  ])('refuses %s', (_what, svg) => {
    expect(() => inlineSvg(svg)).toThrow(BrandError);
  });

  it('says in one line what is wrong', () => {
    expect(() => inlineSvg(inside('<script />'))).toThrow(
      'has <script>, which a drawing does without',
    );
    expect(() => inlineSvg('<svg><!--')).toThrow(
      'has what is neither element nor text at character 6',
    );
  });

  it('refuses what is long and wrong without backtracking for ever', () => {
    for (const part of [' a="b"', '<g', ' ', '"', '</svg']) {
      expect(() => inlineSvg(`<svg${part.repeat(5000)}`)).toThrow(BrandError);
    }
  });
});

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
