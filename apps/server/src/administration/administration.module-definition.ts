import { defineModule } from '#libs/module-definition';

export interface AdministrationOptions {
  /** Where links for recovery lead unless somebody names another origin. */
  readonly recoveryOrigin: string;
}

/** `imports` brings accounts, clients, budgets, the audit trail and the outbox. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMINISTRATION_OPTIONS } =
  defineModule<AdministrationOptions>('Administration');
