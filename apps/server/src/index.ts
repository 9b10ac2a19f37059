// What the package exports as `gatehouse`: docs/guides/extending.md lists it.
export type {
  BuiltIn,
  Extension,
  LanguageTexts,
  Replaceable,
  Replacement,
} from './app.module-definition.js';
export {
  CodeBusyError,
  CodeCancelledError,
  CodeFailure,
  CodeOutOfMemoryError,
  type CodeResult,
  CodeResultError,
  type CodeRun,
  CodeRunner,
  CodeThrewError,
  CodeTimeUpError,
  ContentScreener,
  type ScreenedContent,
  ScreeningError,
  type ScreeningResult,
  ScreeningService,
  UserRunLimit,
  WordListScreener,
} from '#libs/code-runner';
export {
  Administration,
  type ClientToCreate,
  type MachineClientToCreate,
} from './admin/administration.service.js';
export { AccountExport } from './export/account-export.js';
export { readConfig } from './config/config.js';
export { createApp } from './create-app.js';
export { type DeliveredEvent, DeliveryError, EventSink } from './outbox/event-sink.js';
export { WebhookSink } from './outbox/webhook-sink.js';
export { ReadinessChecks } from './observability/health/readiness.service.js';
export { start } from './start.js';
export { Counter, Gauge, Histogram, TeamRegistry as Registry } from './observability/prometheus.js';
export { inSpan, traceHeaders } from '#libs/platform';
export {
  CallCancelledError,
  CallRefusedError,
  CallTimeoutError,
  OversizedMessageError,
  type PageTool,
  type Tab,
  TabBus,
  type TabBusMessage,
  TabGoneError,
  TabPresence,
  TabsService,
  type TabTools,
  TooManyCallsError,
  UnknownTabError,
} from '#libs/tab-hub';
