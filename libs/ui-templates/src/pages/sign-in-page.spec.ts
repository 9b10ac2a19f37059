import { signInPage } from './sign-in-page.js';
import type { PageContext } from '../layout/page.js';

const context: PageContext = {
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: 'notes.example' },
  redirect: { uri: 'https://notes.example/callback' },
  extraFormActions: [],
  origin: 'https://gate.example',
};
const HOSTILE = `"><script>alert('&')</script>`;
const shown = (changes: Partial<PageContext> = {}) => {
  const { html } = signInPage({ ...context, ...changes });
  return html.slice(html.indexOf('<header>'), html.indexOf('<script'));
};

describe('sign-in page', () => {
  it('has another nonce every time', () => {
    const policies = Array.from({ length: 50 }, () => signInPage(context).headers);
    expect(new Set(policies.map((headers) => headers['Content-Security-Policy'])).size).toBe(50);
  });

  it('offers a passkey button and a form with a name of at most 40 characters', () => {
    expect(shown()).toMatch(/<button[^>]* id="sign-in"[^>]*>\s*Sign in with a passkey/);
    expect(shown()).toMatch(
      /<form id="create-account">[^]*<input[^>]*name="name"[^>]*maxlength="40"/,
    );
    expect(shown()).toContain('<noscript>');
  });

  it('names app, domain and redirect host', () => {
    expect(shown()).toContain('<bdi>Notes</bdi>');
    expect(shown()).toMatch(/Published by<\/dt>\s*<dd><strong><bdi>notes\.example<\/bdi>/);
    expect(shown()).not.toContain('unverified');
    expect(shown()).toMatch(/Redirects to<\/dt>\s*<dd><strong><bdi>notes\.example<\/bdi>/);
  });

  it('breaks a host that is longer than a line at its dots', () => {
    const host = 'callback.of-a-department.acme-holding.example';
    const redirect = { uri: `https://${host}/callback` };
    const broken = '<bdi>callback.<wbr />of-a-department.<wbr />acme-holding.<wbr />example</bdi>';
    expect(shown({ app: { name: 'Notes', published: host }, redirect }).split(broken)).toHaveLength(
      3,
    );
    expect(shown()).not.toContain('<wbr');
  });

  it('says when an app registered itself, never of one that is published', () => {
    const registeredAt = new Date('2026-11-22T09:45:00Z');
    const text = shown({ app: { name: 'Notes', published: null, registeredAt } });
    expect(text).toMatch(/Registered here on Nov 22, 2026, 9:45\sAM UTC\./);
    const published = shown({ app: { name: 'Notes', published: 'notes.example', registeredAt } });
    expect(published).not.toContain('Registered here');
  });

  it('says that the name of an app that registered itself is unverified', () => {
    const text = shown({ app: { name: 'Notes', published: null } });
    expect(text).toContain('Name unverified');
    expect(text).not.toContain('Registered here');
    expect(text).not.toContain('Published by');
  });

  it.each([
    ['http://localhost:4711/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://[::1]:4711/cb', true],
    ['https://notes.example/cb', false],
    ['cursor://anysphere.cursor-mcp/cb', false],
  ])('redirect to %s: loopback warning %s', (uri, warns) => {
    expect(shown({ redirect: { uri } }).includes('id="loopback"')).toBe(warns);
  });

  it('has one field, below the button to sign in: that of a new name, where browsers suggest passkeys', () => {
    const fields = shown().match(/<input(?![^>]*readonly)[^>]*>/g);
    expect(fields).toEqual([
      expect.stringMatching(/ name="name"[^>]* autocomplete="username webauthn"/),
    ]);
    expect(shown().indexOf('id="sign-in"')).toBeLessThan(shown().indexOf('id="create-account"'));
  });

  it('asks for an invitation code only where one is wanted', () => {
    expect(shown()).not.toContain('id="invite"');
    expect(shown({ signUp: 'open' })).not.toContain('id="invite"');
    const field = /<input[^>]* id="invite"[^>]*>/.exec(shown({ signUp: 'invite' }))?.[0];
    expect(field).toMatch(/ name="invite"[^>]* maxlength="64"[^>]* required/);
  });

  it('closed: offers no account, and says what to do', () => {
    const text = shown({ signUp: 'closed' });
    expect(text).not.toMatch(/id="(create-account|name|invite|create)"/);
    expect(text).toContain('accepting new accounts right now.');
    expect(text).toContain('id="sign-in"');
  });

  it('escapes what others chose', () => {
    const text = shown({
      serviceName: HOSTILE,
      app: { name: HOSTILE, published: HOSTILE },
      redirect: { uri: "https://notes.example/'><script>" },
    });
    expect(text).not.toContain('<script>');
    expect(text.split('&lt;script&gt;alert(&#39;&amp;&#39;)')).toHaveLength(4);
  });

  it('knows no style attribute, no event handler and no other origin', () => {
    expect(shown()).not.toMatch(/ style=| on\w+=|https?:/);
  });

  it.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
    '%s: shows the way to localhost',
    (origin) => {
      expect(shown({ origin })).toContain('href="http://localhost:3000"');
    },
  );

  it('an address that has no name known here', () => {
    expect(shown({ origin: 'http://192.168.1.7:3000' })).toContain('address-heading');
    expect(shown({ origin: 'http://192.168.1.7:3000' })).not.toContain('localhost');
  });
});
