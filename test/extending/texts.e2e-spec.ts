import { type Extension, type LanguageTexts } from '#server';
import { builtInPageLanguages, type PageTexts } from '#libs/ui-templates';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { describeStartFailure } from '../../apps/server/src/start-failure.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { startTeamApp } from './team-app.js';

const { texts: english } = builtInPageLanguages.fallback;
const brings = (...texts: LanguageTexts[]): Partial<Extension> => ({
  without: ['accountPage'],
  texts,
});

describe('what a team’s pages say (contract: Languages)', () => {
  let gatehouse: Gatehouse | undefined;

  const start = async (extension: Partial<Extension>, variables = {}) => {
    gatehouse = await startTeamApp(extension as Extension, variables);
    return gatehouse;
  };
  afterEach(async () => {
    await gatehouse?.stop();
    gatehouse = undefined;
  });

  /** The sign-in page, and the consent page. */
  const pagesFor = async (place: Gatehouse, language: string) => {
    const client = await OAuthClient.register(place);
    const ann = new Browser(place);
    const signIn = await ann.get(client.authorizePath(), { 'accept-language': language });
    await ann.signUp('Ann');
    const consent = await ann.get(client.authorizePath(), { 'accept-language': language });
    return { signIn: signIn.text, consent: consent.text };
  };

  it('has a sentence of theirs in its language, their scope, their links, and all else as it was', async () => {
    const place = await start(acme);
    const german = await pagesFor(place, 'de-AT');
    expect(german.consent).toContain('>Ja, erlauben</button>');
    expect(german.consent).toContain('Sie grüßen, für 5 Credits');
    expect(german.consent).toContain('>Nicht erlauben</button>');
    for (const page of [german.signIn, german.consent]) {
      expect(page).toContain('<a href="https://acme.example/imprint">Impressum</a>');
      expect(page).toContain('<a href="/privacy">Datenschutz</a>');
    }
    const hebrew = await pagesFor(place, 'he');
    expect(hebrew.consent).toContain('greet you, for 5 credits');
    expect(hebrew.consent).toContain('<a href="https://acme.example/imprint">Imprint</a>');
  });

  it('has a sentence of theirs on the account page, and all else as it was', async () => {
    const ann = new Browser(await start(acme));
    await ann.signUp('Ann');
    const { text } = await ann.get('/svc/account', { 'accept-language': 'en' });
    expect(text).toContain('<title>Your account at Acme');
    expect(text).toContain('>Delete account</h2>');
  });

  it('is in the languages that are configured, and no other', async () => {
    const place = await start(brings(), { LOCALES: 'de' });
    expect((await pagesFor(place, 'en, he')).signIn).toContain('<html lang="de" dir="ltr">');
    const metadata = await new Browser(place).get('/.well-known/oauth-authorization-server');
    expect(metadata.json()['ui_locales_supported']).toEqual(['de']);
  });

  it('has a language of theirs, from right to left if it is', async () => {
    const arabic: PageTexts = { ...english, signIn: { ...english.signIn, title: 'دخول' } };
    const place = await start(brings({ locale: 'ar', pages: arabic }));
    const { signIn } = await pagesFor(place, 'ar-EG, de');
    expect(signIn).toContain('<html lang="ar" dir="rtl">');
    expect(signIn).toContain('<title>دخول');
  });

  const { approve: _approve, ...unfinished } = english.consent;
  it.each<[string, Partial<Extension>, Record<string, string>]>([
    [
      'texts of pages in fr: consent.approve is missing',
      brings({ locale: 'fr', pages: { ...english, consent: unfinished } }),
      {},
    ],
    [
      'texts of pages in de: consent.aprove is no text of the pages',
      brings({ locale: 'de', pages: { consent: { aprove: 'Ja' } } } as LanguageTexts),
      {},
    ],
    [
      'texts of pages in de: consent.heading lacks {app}',
      brings({ locale: 'de', pages: { consent: { heading: 'Erlauben?' } } }),
      {},
    ],
    ['"german_" is no BCP 47 tag', brings({ locale: 'german_' }), {}],
    [
      'texts of scope x:y: "de_DE" is no BCP 47 tag',
      { scopes: [{ name: 'x:y', description: 'do x', texts: { de_DE: 'x tun' } }] },
      {},
    ],
    [
      'texts of link "x": "" is no BCP 47 tag',
      { brand: { links: [{ label: 'x', href: '/x', texts: { '': 'y' } }] } },
      {},
    ],
    [
      'there are no texts of pages in fr; there are some in en, de, he',
      brings(),
      { LOCALES: 'en,fr' },
    ],
    [
      'LOCALES takes BCP 47 tags such as de, comma separated; the first is for everybody else',
      brings(),
      { LOCALES: 'en,no_tag' },
    ],
    [
      'brand.logo has <script>, which a drawing does without',
      { brand: { logo: '<svg><script/></svg>' } },
      {},
    ],
    [
      'brand.links: "x" takes an https address or a path',
      { brand: { links: [{ label: 'x', href: 'javascript:1' }] } },
      {},
    ],
  ])('keeps it from starting, in one line: %s', async (line, extension, variables) => {
    const failure: unknown = await start(extension, variables).catch((error: unknown) => error);
    expect(describeStartFailure(failure)).toBe(`${line}\n`);
  });
});
