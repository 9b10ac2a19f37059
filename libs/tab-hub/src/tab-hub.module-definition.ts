import { defineModule } from '#libs/platform';

export interface TabHubOptions {
  /** How often a tab has to show that it is alive. Default: 30 seconds. */
  readonly heartbeatMs?: number;
}

/** `providers` may replace TabBus and TabPresence; `imports` brings the accounts module. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: TAB_HUB_OPTIONS } =
  defineModule<TabHubOptions>('TabHub');
