import { defineModule } from '#libs/platform';

export interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Names, in lower case, under which it answers beside `host`, addresses and loopback names. */
  readonly allowedHosts: readonly string[];
}

/** `imports` brings the accounts module, whose events are counted. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MANAGEMENT_OPTIONS } =
  defineModule<ManagementOptions>('Management');
