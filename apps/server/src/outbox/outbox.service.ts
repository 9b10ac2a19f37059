import { Inject, Injectable } from '@nestjs/common';
import { Doorbell } from './doorbell.js';
import { EventSink } from './event-sink.js';

/** What this replica does with events, and what came of it since it started. */
@Injectable()
export class OutboxService {
  /** Whether there is somebody to whom events go: if not, none is written. */
  readonly isOpen: boolean;
  /** Rung when some were written. */
  readonly bell = new Doorbell();
  readonly counts = { delivered: 0, failed: 0, dead: 0 };

  constructor(@Inject(EventSink) sink: EventSink | null) {
    this.isOpen = sink !== null;
  }
}
