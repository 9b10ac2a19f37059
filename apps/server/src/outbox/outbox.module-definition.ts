import { defineModule } from '#libs/module-definition';
import type { Webhook } from './webhook.adapter.js';

export interface OutboxOptions {
  /** Where events go; without it, and without an EventSink in `providers`, none is kept. */
  readonly webhook: Webhook | undefined;
  /** False for what only writes events, and leaves them to the service. */
  readonly delivers: boolean;
}

/** `providers` may replace EventSink. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OUTBOX_OPTIONS } =
  defineModule<OutboxOptions>('Outbox');
