export type { BuiltIn, Extension } from './app.module-definition.js';
export {
  CodeBusyError,
  CodeFailure,
  CodeOutOfMemoryError,
  CodeResultError,
  CodeThrewError,
  CodeTimeUpError,
} from './code/code-failure.js';
export { type CodeResult, type CodeRun, CodeRunner } from './code/code-runner.js';
export { type Config, ConfigError, readConfig } from './config/config.js';
export { createApp } from './create-app.js';
export {
  ContentScreener,
  type ScreenedContent,
  type ScreeningVerdict,
} from './screening/content-screener.js';
export { ScreeningService } from './screening/screening.service.js';
export { start } from './start.js';
export { TabBus, type TabBusMessage } from './tabs/tab-bus.js';
export { TabPresence } from './tabs/tab-presence.js';
export type { Tab } from './tabs/tab.js';
export { TabsService } from './tabs/tabs.service.js';
