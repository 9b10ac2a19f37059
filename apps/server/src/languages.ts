import { accountLanguages } from '#libs/account-page';
import { type Catalogue, type PageTexts, pageLanguages } from '#libs/ui-templates';
import { type Extension, hasAccountPage } from './app.module-definition.js';
import type { Config } from './config/config.js';

/** The languages of the pages: those that are configured, else all there are. Throws TextsError. */
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

/**
 * What the account page says in each of these languages, where there is one; each has to be whole, so that no
 * page is in two of them. Throws TextsError.
 */
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
