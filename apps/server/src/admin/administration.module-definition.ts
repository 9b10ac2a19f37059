import { defineModule } from '#libs/platform';

export interface MachineResource {
  /** As it is listed; undefined for `/svc/mcp`. */
  readonly resource?: string;
  readonly scopes: readonly string[];
}

export interface AdministrationOptions {
  /** Where the service listens: the origin of recovery links without `publicOrigins`. */
  readonly port: number;
  /** The only origins that recovery links may have, by default the first; undefined allows any. */
  readonly publicOrigins: readonly string[] | undefined;
  /** What machine clients may be made for; undefined while the service has no machine clients. */
  readonly machineResources?: readonly MachineResource[] | undefined;
}

/** `imports` provides accounts, their export, clients, budgets, the audit trail and the outbox. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ADMINISTRATION_OPTIONS } =
  defineModule<AdministrationOptions>('Administration');
