import { defineModule } from '#libs/platform';

export interface AuditOptions {
  /** How long a row written from now on is kept. */
  readonly retentionMs: number;
}

/** `imports` provides AccountsModule and OutboxModule. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: AUDIT_OPTIONS } =
  defineModule<AuditOptions>('Audit');
