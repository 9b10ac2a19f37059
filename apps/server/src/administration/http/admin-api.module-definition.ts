import { defineModule } from '#libs/platform';
import type { AdminTokenSources } from '../../config/admin-tokens.js';

export interface AdminApiOptions extends AdminTokenSources {
  /** Names of those that are set. */
  readonly variables: readonly string[];
}

/** `imports` brings AdministrationModule, accounts and metrics. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMIN_API_OPTIONS } =
  defineModule<AdminApiOptions>('AdminApi');
