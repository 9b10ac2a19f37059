import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';
import type { OutboxRow } from './outbox.store.js';

/**
 * Suffix of the ids for the EventSink where there is a webhook too: each receiver has its own queues, so that neither
 * waits for the other.
 */
const FOR_SINK = '@sink';

export type Copies = readonly string[];

export const copiesOf = (row: OutboxRow, copies: Copies): OutboxRow[] =>
  copies.map((suffix) => ({ ...row, id: row.id + suffix, queueId: row.queueId + suffix }));

export const isForSink = (id: string) => id.endsWith(FOR_SINK);

export const deliveredId = (id: string) => (isForSink(id) ? id.slice(0, -FOR_SINK.length) : id);

@Injectable()
export class OutboxService {
  /** One copy for each receiver; without a receiver no event is written. */
  readonly copies: Copies;
  readonly counts = { delivered: 0, failed: 0, dead: 0 };
  private woken = new AbortController();

  constructor(
    @Inject(OUTBOX_OPTIONS) { webhook, hasSink }: Pick<OutboxOptions, 'webhook' | 'hasSink'>,
  ) {
    const receivers = Number(webhook !== undefined) + Number(hasSink);
    this.copies = ['', FOR_SINK].slice(0, receivers);
  }

  get isOpen() {
    return this.copies.length > 0;
  }

  /** Ends the wait for events, for example because some were written; while nothing waits, the next wait. */
  wakeUp(): void {
    this.woken.abort();
  }

  /** Resolves at the next `wakeUp`, and after `mostMs` at the latest. */
  async wait(mostMs: number): Promise<void> {
    const { signal } = this.woken;
    await sleep(mostMs, undefined, { signal, ref: false }).catch(() => undefined);
    this.woken = new AbortController();
  }
}
