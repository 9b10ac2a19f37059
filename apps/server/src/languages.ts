import {
  accountLanguages,
  builtInPageLanguages,
  type Catalogue,
  pageLanguages,
  type PageTexts,
} from '#libs/ui-templates';
import { type Extension, hasAccountPage, type LanguageTexts } from './app.module-definition.js';
import type { Config } from './config/config.js';

/** The languages of the pages: the configured ones, otherwise all. Throws TextsError. */
export const languagesOf = (
  { locales }: Pick<Config, 'locales'>,
  extensions: readonly Partial<Extension>[],
) =>
  pageLanguages({
    offered: locales,
    changes: extensions
      .flatMap(({ texts = [] }) => texts)
      .map(({ locale, pages: texts }) => ({ locale, texts })),
  });

/** The texts of the account page in each of these languages; undefined without that page. Throws TextsError. */
export function accountTextsOf(
  { languages }: Catalogue<PageTexts>,
  extensions: readonly Partial<Extension>[],
) {
  if (!hasAccountPage(extensions)) return undefined;
  const offered = languages.map(({ tag }) => tag);
  const changes = extensions
    .flatMap(({ texts = [] }) => texts)
    .map(({ locale, account: texts }) => ({ locale, texts }));
  return accountLanguages({ offered, changes });
}

/** A line for each language that lacks texts, with the keys of those that are in English instead. Throws TextsError. */
export function lackingTexts(
  config: Pick<Config, 'locales'>,
  extensions: readonly Partial<Extension>[],
): string[] {
  const pages = languagesOf(config, extensions);
  const account = accountTextsOf(pages, extensions);
  return pages.languages.flatMap(({ tag }) => {
    const keys = [
      ...(pages.lacking.get(tag) ?? []).map((key) => `pages.${key}`),
      ...(account?.lacking.get(tag) ?? []).map((key) => `account.${key}`),
    ];
    return keys.length === 0 ? [] : `texts in ${tag} lack ${keys.join(', ')}: these are in English`;
  });
}

/** All texts of the pages for an extension: in this language, else in English. @throws TextsError for no BCP 47 tag */
export function textsToTranslate(locale: string, extensions: readonly Partial<Extension>[]) {
  const texts = extensions.flatMap((extension) => extension.texts ?? []);
  const all = [{ texts: [...texts, { locale }] }];
  const catalogue = languagesOf({ locales: [locale] }, all);
  const { tag, texts: pages } = catalogue.fallback;
  const { reasons } = pages.script;
  const sentences = Object.keys(builtInPageLanguages.choose(['de']).texts.script.reasons);
  const shown = Object.fromEntries(sentences.map((sentence) => [sentence, sentence]));
  return {
    locale: tag,
    pages: { ...pages, script: { ...pages.script, reasons: { ...shown, ...reasons } } },
    account: accountTextsOf(catalogue, all)?.fallback.texts,
  } satisfies LanguageTexts;
}
