import { Inject, Injectable } from '@nestjs/common';
import { Doorbell } from './doorbell.js';
import { type Copies, copiesFor } from './outbox-receivers.js';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';

/** What this replica does with events, and what came of it since it started. */
@Injectable()
export class OutboxService {
  /** One for each receiver of events: where there is none, none is written. */
  readonly copies: Copies;
  /** Rung when some were written. */
  readonly bell = new Doorbell();
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
