import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Extension, type LanguageTexts } from '#server';
import { builtInAccountTexts, builtInPageLanguages, type PageTexts } from '#libs/ui-templates';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { builtFile } from '../support/built-file.js';
import { runGatehouseProcess } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
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

  it('is in English where a language of theirs lacks a text', async () => {
    const place = await start({
      texts: [{ locale: 'fr', pages: { consent: { approve: 'Permettre' } } }],
    });
    const { consent } = await pagesFor(place, 'fr');
    expect(consent).toContain('<html lang="fr" dir="ltr">');
    expect(consent).toContain('>Permettre</button>');
    expect(consent).toContain(`>${english.consent.deny.replaceAll('’', '&#8217;')}</button>`);
    const ann = new Browser(place);
    await ann.signUp('Ann');
    const { text } = await ann.get('/svc/account', { 'accept-language': 'fr' });
    expect(text).toContain('<html lang="fr"');
  });

  it.each<[string, Partial<Extension>, Record<string, string>]>([
    [
      'texts of pages in fr: consent.heading lacks {app}',
      brings({ locale: 'fr', pages: { consent: { heading: 'Permettre ?' } } }),
      {},
    ],
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
  ])('keeps it from starting, in one line: %s', async (message, extension, variables) => {
    await expect(start(extension, variables)).rejects.toMatchObject({ message });
  });
});

describe('the texts of a language (contract: Languages)', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'texts-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = async (...texts: unknown[]) => {
    const file = join(folder, 'acme.mjs');
    const extension = JSON.stringify({ gatehouse: 1, texts });
    await writeFile(file, `export const extension = ${extension};`);
    return file;
  };

  const catalogueOf = async (language: string, ...args: string[]) => {
    const answer = await runGatehouseProcess({}, 'texts', '--language', language, ...args);
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(answer.stdout) as Required<LanguageTexts> & { readonly pages: PageTexts };
  };

  /** The warnings of a start. */
  const warnings = async (...texts: unknown[]) => {
    const args = [builtFile('main.js'), 'start', '--extension', await write(...texts)];
    const variables = { DATABASE_URL: `sqlite:${join(folder, 'test.sqlite')}`, PORT: '0' };
    const server = new ServerProcess(variables, args);
    await server.port();
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
    const lines = server.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return lines.filter(({ context }) => context === 'Texts').map(({ message }) => message);
  };

  it('are written to be translated, in its words and else in English, with all reasons', async () => {
    const started = { locale: 'fr', pages: { consent: { approve: 'Permettre' } } };
    const { locale, pages, account } = await catalogueOf('FR', '--extension', await write(started));
    expect(locale).toBe('fr');
    expect(pages.consent).toEqual({ ...english.consent, approve: 'Permettre' });
    expect(account).toEqual(builtInAccountTexts.fallback.texts);
    const sentences = builtInPageLanguages.choose(['de']).texts.script.reasons;
    expect(pages.script.reasons).toEqual(
      Object.fromEntries(Object.keys(sentences).map((sentence) => [sentence, sentence])),
    );
    expect((await catalogueOf('de')).account).toEqual(builtInAccountTexts.choose(['de']).texts);
  });

  it('are whole when they were written so, and warned of with their keys when they are not', async () => {
    const { approve: _approve, ...consent } = english.consent;
    const french = await catalogueOf('fr');
    expect(await warnings(french)).toEqual([]);
    expect(await warnings({ ...french, pages: { ...french.pages, consent }, account: {} })).toEqual(
      [
        expect.stringMatching(
          /^texts in fr lack pages\.consent\.approve, account\.activity, .*: these are in English$/,
        ),
      ],
    );
  });

  it('are of a language', async () => {
    const { code, stdout, stderr } = await runGatehouseProcess({}, 'texts', '--language', 'x');
    expect([code, stdout, stderr]).toEqual([1, '', '"x" is no BCP 47 tag\n']);
  });
});
