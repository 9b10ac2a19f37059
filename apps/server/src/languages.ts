import { pageLanguages } from '#libs/ui-templates';
import type { Extension } from './app.module-definition.js';
import type { Config } from './config/config.js';

/** The languages of the pages: those that are configured, else all there are. Throws TextsError. */
export const languagesOf = (
  { locales }: Pick<Config, 'locales'>,
  extensions: readonly Extension[],
) =>
  pageLanguages({
    offered: locales,
    changes: extensions
      .flatMap(({ texts = [] }) => texts)
      .map(({ locale, pages: texts }) => ({ locale, texts })),
  });
