import { defineModule } from '#libs/platform';

export interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose a port. */
  readonly port: number;
  /** Accepted `Host` names, in lower case, in addition to `host`, addresses and loopback names. */
  readonly allowedHosts: readonly string[];
}

/** `imports` provides the accounts module, whose events are counted. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MANAGEMENT_OPTIONS } =
  defineModule<ManagementOptions>('Management');
