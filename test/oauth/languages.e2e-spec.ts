import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Case {
  readonly asked?: string;
  readonly accepted?: string;
}

describe('languages of the authorization page (contract: Languages)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    client = await OAuthClient.register(gatehouse);
  });

  const load = async ({ asked, accepted }: Case, visitor = browser) =>
    visitor.get(
      client.authorizePath(asked === undefined ? {} : { ui_locales: asked }),
      accepted === undefined ? {} : { 'accept-language': accepted },
    );

  // The parsing of language preferences has a unit spec of its own.
  it.each<[string, string, Case]>([
    ['en', 'ltr', {}],
    ['de', 'ltr', { asked: 'fr-CA de-CH en', accepted: 'he' }],
    ['he', 'rtl', { asked: 'fr', accepted: 'iw, en;q=0.8' }],
    ['de', 'ltr', { accepted: 'en;q=0.5, de;q=0.8' }],
    ['en', 'ltr', { accepted: 'fr,it;q=0.9' }],
    ['en', 'ltr', { asked: '"><script>alert(1)</script>', accepted: '__proto__, <script>;q=1' }],
  ])('in %s, %s: %j', async (tag, direction, wishes) => {
    const { status, headers, text } = await load(wishes);
    expect(status).toBe(200);
    expect(text).toContain(`<html lang="${tag}" dir="${direction}">`);
    expect(headers['content-language']).toBe(tag);
    expect(headers['vary']).toMatch(/\bAccept-Language\b/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('has the words of the language on both pages, and in what their script says', async () => {
    const signIn = await load({ asked: 'de' });
    expect(signIn.text).toContain('Mit einem Passkey anmelden');
    expect(signIn.text).toContain('"done":"Angemeldet. Einen Moment ');
    expect(signIn.text).not.toMatch(/Sign in|Your name/);
    const ann = new Browser(gatehouse);
    await ann.signUp('Ann');
    const consent = await load({ accepted: 'he' }, ann);
    expect(consent.text).toContain('החשבון המחובר: <strong><bdi>Ann</bdi></strong>');
    expect(consent.text).toContain('לראות את השם ואת הקרדיטים היומיים שלך');
    expect(consent.text).not.toMatch(/Permissions|see your name|>Allow</);
  });

  it('asks for a tab of its own in the language, too', async () => {
    const path = client.authorizePath({ ui_locales: 'de' });
    const { text } = await browser.get(path, { 'sec-fetch-dest': 'iframe' });
    expect(text).toContain('In neuem Tab öffnen');
  });

  it('runs the same script in each, under the same policy', async () => {
    const parts = await Promise.all(
      ['en', 'de', 'he'].map(async (asked) => {
        const { text, headers } = await load({ asked });
        const [, nonce = '', script] =
          /<script nonce="([\w-]+)">([^]*?)<\/script>/.exec(text) ?? [];
        const policy = String(headers['content-security-policy']).replaceAll(nonce, 'nonce');
        return { script, policy };
      }),
    );
    expect(parts[0]?.script).toContain('script-texts');
    expect(parts[1]).toEqual(parts[0]);
    expect(parts[2]).toEqual(parts[0]);
  });

  it('says errors in English in every language: they are for programs', async () => {
    const refused = await browser.post(
      '/svc/auth/register/options',
      { displayName: '' },
      { 'accept-language': 'de' },
    );
    expect(refused.json()).toEqual({ error: 'displayName is empty; enter 1 to 40 characters' });
  });
});
