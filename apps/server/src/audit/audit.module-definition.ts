import { defineModule } from '#libs/platform';

export interface AuditOptions {
  /** How long a row is kept that is written from now on. */
  readonly retentionMs: number;
}

/** `imports` brings AccountsModule and OutboxModule. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: AUDIT_OPTIONS } =
  defineModule<AuditOptions>('Audit');
