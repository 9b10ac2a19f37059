import { defineModule } from '#libs/platform';
import type { Brand } from '../layout/brand.js';
import type { Catalogue } from '../locale/catalogue.js';
import type { PageTexts } from '../texts/en.js';
import type { GrantedAccess } from './sections/apps.js';
import type { AccountTexts } from './texts/en.js';

export interface AccountPageOptions {
  /** The name on the pages. */
  readonly serviceName: string;
  /** Those of the pages; those of the lib by default. */
  readonly languages?: Catalogue<PageTexts> | undefined;
  /** In each of these languages; those of the lib by default. */
  readonly texts?: Catalogue<AccountTexts> | undefined;
  /** How its pages look. */
  readonly brand?: Brand | undefined;
  readonly access: GrantedAccess;
}

/** `imports` has to bring AccountsModule; `providers` may replace AccountPages. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNT_PAGE_OPTIONS } =
  defineModule<AccountPageOptions>('AccountPage');
