import { Inject, Injectable } from '@nestjs/common';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';
import type { OutboxRow } from './outbox.store.js';

/** Wakes a loop that waits for a limited time. Set while nothing waits, it ends the next wait at once. */
class AutoResetEvent {
  private isSet = false;
  private open: (() => void) | undefined;

  set() {
    this.isSet = true;
    this.open?.();
  }

  async wait(mostMs: number): Promise<void> {
    if (!this.isSet) await this.next(mostMs);
    this.isSet = false;
  }

  private async next(mostMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs).unref();
    this.open = resolve;
    await promise;
    clearTimeout(timer);
    this.open = undefined;
  }
}

/**
 * Suffix of the ids of events and queues for the EventSink where a webhook is configured too: each receiver has its
 * own queues, so that neither waits for the other. An id without the suffix is for the webhook, or for the only
 * receiver.
 */
const FOR_SINK = '@sink';

/** The id suffixes of an event's rows: one for each receiver. */
export type Copies = readonly string[];

const copiesFor = (hasWebhook: boolean, hasSink: boolean): Copies => [
  ...(hasWebhook || hasSink ? [''] : []),
  ...(hasWebhook && hasSink ? [FOR_SINK] : []),
];

export const copiesOf = (row: OutboxRow, copies: Copies): OutboxRow[] =>
  copies.map((suffix) => ({ ...row, id: row.id + suffix, queueId: row.queueId + suffix }));

export const isForSink = (id: string) => id.endsWith(FOR_SINK);

/** The id that receivers see: the same for each of them. */
export const deliveredId = (id: string) => (isForSink(id) ? id.slice(0, -FOR_SINK.length) : id);

/** The outbox of this replica, with its counts since the start. */
@Injectable()
export class OutboxService {
  /** One copy for each receiver; without a receiver no event is written. */
  readonly copies: Copies;
  /** Set when events were written. */
  readonly wakeUp = new AutoResetEvent();
  readonly counts = { delivered: 0, failed: 0, dead: 0 };

  constructor(
    @Inject(OUTBOX_OPTIONS) { webhook, hasSink }: Pick<OutboxOptions, 'webhook' | 'hasSink'>,
  ) {
    this.copies = copiesFor(webhook !== undefined, hasSink);
  }

  /** Whether there is any receiver. */
  get isOpen() {
    return this.copies.length > 0;
  }
}
