export type { BuiltIn, Extension } from './app.module-definition.js';
export {
  CodeBusyError,
  CodeFailure,
  CodeOutOfMemoryError,
  CodeResultError,
  CodeThrewError,
  CodeTimeUpError,
} from '#libs/code-runner';
export { type CodeResult, type CodeRun, CodeRunner } from '#libs/code-runner';
export { type Config, ConfigError, readConfig } from './config/config.js';
export { createApp } from './create-app.js';
export { ContentScreener, type ScreenedContent, type ScreeningVerdict } from '#libs/code-runner';
export { ScreeningService } from '#libs/code-runner';
export { start } from './start.js';
export { TabBus, type TabBusMessage } from '#libs/tab-hub';
export { TabPresence } from '#libs/tab-hub';
export type { Tab } from '#libs/tab-hub';
export { TabsService } from '#libs/tab-hub';
