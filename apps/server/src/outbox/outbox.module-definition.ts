import { defineModule } from '#libs/platform';
import type { Webhook } from './webhook-sink.js';

export interface OutboxOptions {
  /** The webhook that events are posted to. */
  readonly webhook: Webhook | undefined;
  /** Whether `providers` of the service contain an EventSink. Without it and without a webhook no event is kept. */
  readonly hasSink: boolean;
  /** False for a process that only writes events, which the service then delivers: it needs no EventSink itself. */
  readonly delivers: boolean;
}

/** `providers` may contain an EventSink. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OUTBOX_OPTIONS } =
  defineModule<OutboxOptions>('Outbox');
