import { defineModule } from '#libs/module-definition';

export interface AccountPageOptions {
  /** The name on the pages. */
  readonly serviceName: string;
}

/** `imports` has to bring AccountsModule; `providers` may replace AccountPages. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNT_PAGE_OPTIONS } =
  defineModule<AccountPageOptions>('AccountPage');
