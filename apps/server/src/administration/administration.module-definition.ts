import { defineModule } from '#libs/platform';

export interface AdministrationOptions {
  /** Where links for recovery lead unless another origin is asked for. */
  readonly recoveryOrigin: string;
  /** The only origins that links for recovery lead to; undefined for any. */
  readonly publicOrigins?: readonly string[] | undefined;
}

/** `imports` brings accounts, clients, budgets, the audit trail and the outbox. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMINISTRATION_OPTIONS } =
  defineModule<AdministrationOptions>('Administration');
