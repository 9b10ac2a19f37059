export type {
  BuiltIn,
  Extension,
  LanguageTexts,
  Replaceable,
  Replacement,
} from './app.module-definition.js';
export {
  CodeBusyError,
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
  ScreeningService,
  type ScreeningResult,
  WordListScreener,
} from '#libs/code-runner';
export { type Config, ConfigError, readConfig } from './config/config.js';
export { createApp } from './create-app.js';
export {
  type DeliveredEvent,
  DeliveryError,
  type EventData,
  EventSink,
} from './outbox/event-sink.js';
export { type Webhook, WebhookSink } from './outbox/webhook.adapter.js';
export { ReadinessChecks } from './observability/health/readiness-checks.js';
export { start } from './start.js';
export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export {
  type Attributes,
  inSpan,
  type Span,
  type SpanDescription,
  traceHeaders,
} from '#libs/trace';
export {
  type PageTool,
  type Tab,
  TabBus,
  type TabBusMessage,
  TabPresence,
  type TabTools,
  TabsService,
} from '#libs/tab-hub';
