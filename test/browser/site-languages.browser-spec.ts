import { globSync, readFileSync } from 'node:fs';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { ROOT, SitePage, startDemo } from './site-fixture.js';

const PATHS = ['/', '/connect/', '/shopping/'];

/** Texts that are the same in all languages. */
const NAMES = new Set(['Gatehouse', 'localhost', 'Normal', '.', ':', '·']);

describe('the example site in other languages', () => {
  const chromium = useChromium();
  const demo = useStarted(() => startDemo());

  /** All texts of a page, visible or not, after its scripts have run. */
  const textsOf = async (path: string, locale: string) => {
    const site = await SitePage.create(chromium.launched(), demo.origin, { locale });
    await site.page.goto(demo.origin + path);
    await site.page.waitForLoadState('networkidle');
    const texts = await site.page.evaluate<string[]>(TEXTS);
    const { lang, dir } = await site.page.evaluate<{ lang: string; dir: string }>(
      '({ lang: document.documentElement.lang, dir: document.documentElement.dir })',
    );
    return { site, texts, lang, dir };
  };

  it.each([
    ['de-AT', 'de', 'ltr'],
    ['he-IL', 'he', 'rtl'],
    ['fr-FR', 'en', 'ltr'],
  ])('speaks to a browser in %s in %s', async (locale, language, direction) => {
    for (const path of PATHS) {
      const english = await textsOf(path, 'en-US');
      const other = await textsOf(path, locale);
      expect([other.lang, other.dir]).toEqual([language, direction]);
      const same = other.texts.filter((text) => english.texts.includes(text) && !NAMES.has(text));
      expect(language === 'en' ? [] : same).toEqual([]);
      expect(await problemsInEveryLook(other.site.page)).toEqual([]);
      expect(other.site.complaints).toEqual([]);
      await Promise.all([english.site.context.close(), other.site.context.close()]);
    }
  });

  it.each(['de', 'he'])('has each text of the scripts in %s', async (language) => {
    const site = `${ROOT}/examples/site`;
    const scripts = globSync('**/*.js', { cwd: site }).map((name) =>
      readFileSync(`${site}/${name}`, 'utf8'),
    );
    const asked = [...scripts.join('\n').matchAll(/\bt\(\s*'([^']+)'/g)].map(
      ([, text = '']) => text,
    );
    const { texts } = (await import(`${site}/texts/${language}.js`)) as { readonly texts: object };
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.filter((text) => !Object.hasOwn(texts, text))).toEqual([]);
  });

  it('speaks the language that a link asks for', async () => {
    const { site, texts, lang } = await textsOf('/?ui_locales=xx%20he', 'de-DE');
    expect(lang).toBe('he');
    expect(texts).toContain('המשימות שלך');
    await site.context.close();
  });

  it('says in it what happens', async () => {
    const { site } = await textsOf('/connect/', 'de-DE');
    await site.page.getByLabel('Ihr Name').fill('Ann');
    await site.button('Konto mit einem Passkey erstellen').click();
    await site.heading('Ihr Konto').waitFor();
    await site.page.getByText('Mit dem Hub verbunden.').waitFor();
    await site.page.getByText('Heute 0 von 1000 Credits verbraucht.').waitFor();
    await site.button('Abmelden').click();
    await site.page.getByRole('status').filter({ hasText: 'Sie sind abgemeldet.' }).waitFor();
    await site.context.close();
  });
});

const TEXTS = `(() => {
  const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (nodes.nextNode()) {
    const { data, parentElement } = nodes.currentNode;
    const text = data.trim().replaceAll(/\\s+/g, ' ');
    if (text !== '' && !parentElement.closest('noscript, script')) texts.push(text);
  }
  return texts;
})()`;
