import { defineModule } from '#libs/platform';
import type { AdminTokenSources } from '../config/admin-tokens.js';

export interface AdminApiOptions extends AdminTokenSources {
  readonly variables: readonly string[];
}

/** `imports` provides AdministrationModule, accounts and metrics. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMIN_API_OPTIONS } =
  defineModule<AdminApiOptions>('AdminApi');
