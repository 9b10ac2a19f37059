import { defineModule } from '#libs/module-definition';

export interface AdminApiOptions {
  /** What whoever may use it sends along. */
  readonly token: string;
  /** Names of those that are set. */
  readonly variables: readonly string[];
}

/** `imports` brings AdministrationModule and accounts. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMIN_API_OPTIONS } =
  defineModule<AdminApiOptions>('AdminApi');
