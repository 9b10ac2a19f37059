import { defineModule } from '#libs/platform';

export interface AdministrationOptions {
  /** The origin of recovery links unless the caller asks for another one. */
  readonly recoveryOrigin: string;
  /** The only origins that recovery links may have; undefined allows any. */
  readonly publicOrigins?: readonly string[] | undefined;
}

/** `imports` provides accounts, clients, budgets, the audit trail and the outbox. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMINISTRATION_OPTIONS } =
  defineModule<AdministrationOptions>('Administration');
