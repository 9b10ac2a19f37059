import { Inject, Injectable } from '@nestjs/common';
import { Doorbell } from './doorbell.js';
import { type Copies, copiesFor } from './outbox-receivers.js';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';

/** The outbox of this replica, with its counts since the start. */
@Injectable()
export class OutboxService {
  /** One copy for each receiver; without a receiver no event is written. */
  readonly copies: Copies;
  /** Rung when events were written. */
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
