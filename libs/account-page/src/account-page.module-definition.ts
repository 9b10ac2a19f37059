import { defineModule } from '#libs/module-definition';

import type { GrantedAccess } from './sections/apps.js';

export interface AccountPageOptions {
  /** The name on the pages. */
  readonly serviceName: string;
  readonly access: GrantedAccess;
}

/** `imports` has to bring AccountsModule; `providers` may replace AccountPages. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNT_PAGE_OPTIONS } =
  defineModule<AccountPageOptions>('AccountPage');
