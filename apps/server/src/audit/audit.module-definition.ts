import { defineModule } from '#libs/platform';

export interface AuditOptions {
  readonly retentionMs: number;
}

/** `imports` provides AccountsModule and OutboxModule. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: AUDIT_OPTIONS } =
  defineModule<AuditOptions>('Audit');
