import { defineModule } from '#libs/platform';
import type { Webhook } from './webhook.adapter.js';

export interface OutboxOptions {
  /** Where events are posted to. */
  readonly webhook: Webhook | undefined;
  /** Whether `providers` of the service bring an EventSink. Without it and without a webhook no event is kept. */
  readonly hasSink: boolean;
  /** False for what only writes events, and leaves them to the service: it needs no EventSink itself. */
  readonly delivers: boolean;
}

/** `providers` may bring an EventSink. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OUTBOX_OPTIONS } =
  defineModule<OutboxOptions>('Outbox');
