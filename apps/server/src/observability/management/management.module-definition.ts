import { defineModule } from '#libs/module-definition';

export interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
}

/** `imports` brings the accounts module, whose events are counted. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MANAGEMENT_OPTIONS } =
  defineModule<ManagementOptions>('Management');
