import { Script } from 'node:vm';
import { builtInAccountTexts, builtInPageLanguages } from '../texts/languages.js';
import { BuiltInAccountPages } from './account-pages.js';

const HOSTILE = `"><script>alert('&')</script>`;
const context = { serviceName: 'Gatehouse', origin: 'https://gate.example' };
const user = { id: 'QW5u', displayName: 'Ann' };
const pages = new BuiltInAccountPages();
const hebrew = builtInAccountTexts.choose(['he']);
const language = { ...hebrew, texts: builtInPageLanguages.in(hebrew) };
const inHebrew = { language, texts: hebrew.texts };
const account = (changes = {}) => pages.account({ ...context, user: { ...user, ...changes } });

describe.each([
  ['signed in', () => account()],
  ['signed out', () => pages.signedOut(context)],
  ['after a recovery', () => pages.account({ ...context, user, recoveredAt: 1 })],
  ['for a recovery', () => pages.recover({ ...context, userName: HOSTILE })],
  ['from right to left', () => pages.account({ ...context, ...inHebrew, user })],
])('account page, %s', (_state, render) => {
  it('has no handler, style or address that the policy would stop', () => {
    const { html } = render();
    const markup = html.slice(html.indexOf('<body>'), html.indexOf('<script'));
    expect(markup).not.toMatch(/<[^>]* on\w+=|<[^>]* style=|javascript:|<img|<link/i);
  });

  it('has a script that parses, and all of its ids once', () => {
    const { html } = render();
    const script = /<script nonce[^>]*>([^]*)<\/script>/.exec(html)?.[1] ?? '';
    expect(() => new Script(script)).not.toThrow();
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lets forms and frames go nowhere else', () => {
    const policy = render().headers['Content-Security-Policy'];
    expect(policy).toContain("; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  });
});

describe('the account page', () => {
  it('escapes the name, and keeps its direction to itself', () => {
    const { html } = account({ displayName: HOSTILE });
    expect(html).not.toContain(HOSTILE);
    expect(html).toContain(
      '<bdi>&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</bdi>',
    );
  });

  it('labels every section by its heading, and what a label names is there', () => {
    const { html } = account();
    const named = [
      ...html.matchAll(/ (?:aria-(?:labelledby|describedby|errormessage)|for)="([^"]+)"/g),
    ];
    expect(named.length).toBeGreaterThan(10);
    for (const [, id] of named) expect(html).toContain(` id="${id}"`);
  });

  it('shows nothing as loaded before it is, and no text with a gap', () => {
    const { html } = account();
    const markup = html.slice(html.indexOf('<main>'), html.indexOf('<script'));
    expect(markup.match(/data-part="body" hidden/g)).toHaveLength(
      markup.match(/class="skeleton"/g)?.length ?? 0,
    );
    expect(markup).not.toMatch(/\{\w+\}/);
  });

  it('takes the style of a team after its own', () => {
    const { html } = pages.account({
      ...context,
      user,
      brand: { style: ':root { --accent: red; }' },
    });
    expect(html.indexOf('--accent: red')).toBeGreaterThan(html.indexOf('.toast {'));
  });

  it('leads from an address to localhost where passkeys work', () => {
    const { html } = pages.signedOut({ ...context, origin: 'http://127.0.0.1:3000' });
    expect(html).toContain('<strong>http://localhost:3000</strong>');
    expect(html).not.toContain('Connect the app');
  });
});
