import { Injectable } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import { OutboxDirectoryService, type OutboxState } from '../outbox/outbox-directory.service.js';
import type { OutboxEventEntity } from '../outbox/outbox.entity.js';
import { deliveredId } from '../outbox/outbox.service.js';
import { mapPage, toIsoTime } from './operation/values.js';

/** Events that wait for delivery or were given up, for operators. */
@Injectable()
export class EventsAdministrationService {
  constructor(
    private readonly outbox: OutboxDirectoryService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Newest first; given-up events by the time they were given up. @throws UnknownPageError */
  async list({ state, ...asked }: PageRequest & { readonly state: OutboxState }) {
    return mapPage(await this.outbox.list(state, asked), toEvent);
  }

  /** One event with its payload. `nextAttemptAt` is the next attempt of its account's first event. */
  async show(id: string) {
    const event = await this.outbox.get(id);
    return { ...toEvent(event), nextAttemptAt: toIsoTime(event.dueAt), body: event.body };
  }

  /** Delivers the event again as if it had never failed. */
  async retry(id: string, actor: string) {
    await this.outbox.retry(id);
    this.tell('event-retried', actor, id);
    return { id };
  }

  /** Retries all given-up events, and makes waiting events due now. */
  async retryAll(actor: string) {
    const retried = await this.outbox.retryAll();
    this.tell('event-retried', actor);
    return retried;
  }

  /** Removes the event without delivering it; its row in the audit trail stays. */
  async remove(id: string, actor: string) {
    await this.outbox.remove(id);
    this.tell('event-dropped', actor, id);
    return { id };
  }

  /** Without an id the event is about all of them. */
  private tell(type: 'event-retried' | 'event-dropped', actor: string, id?: string) {
    const said =
      id === undefined
        ? { detail: 'all', facts: {} }
        : { detail: `event ${id}`, facts: { event: id } };
    this.events.emit({ type, userId: null, origin: '', actor, ...said });
  }
}

const toEvent = (event: OutboxEventEntity) => ({
  id: event.id,
  type: event.type,
  user: event.queueId === event.id ? null : deliveredId(event.queueId),
  createdAt: toIsoTime(event.createdAt),
  attempts: event.attempts,
  failure: event.failure,
  deadAt: toIsoTime(event.deadAt),
});
