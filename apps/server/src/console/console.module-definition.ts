import { defineModule } from '#libs/platform';
import type { ShownSetting } from '../config/shown-settings.js';
import type { Finding } from '../doctor/finding.js';

export interface ConsoleOptions {
  readonly serviceName: string;
  readonly trustedProxies: readonly string[];
  readonly clientAddressHeader: string | undefined;
  readonly settings: readonly ShownSetting[];
  /** What contradicts in the settings, as the doctor says it. */
  readonly findings: () => Iterable<Finding>;
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: CONSOLE_OPTIONS } =
  defineModule<ConsoleOptions>('Console');
