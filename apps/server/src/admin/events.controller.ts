import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { SecurityEventsService } from '#libs/accounts';
import {
  OUTBOX_STATES,
  OutboxDirectory,
  type OutboxState,
} from '../outbox/outbox-directory.store.js';
import type { OutboxEventEntity } from '../outbox/outbox.entity.js';
import { deliveredId } from '../outbox/outbox.service.js';
import {
  CommandOption,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  OneOf,
  PageOf,
  PageQuery,
  TIME,
} from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

class EventsQuery extends PageQuery {
  @CommandOption('--dead', 'those that were given up instead', { value: 'dead' })
  @CommandOption('--waiting', 'these, as without it', { value: 'waiting', conflicts: 'dead' })
  @OneOf(OUTBOX_STATES, { required: false, default: 'waiting' })
  state: OutboxState = 'waiting';
}

class ListedEvent {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty(NULLABLE_TEXT) user!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  @ApiProperty(NULLABLE_TEXT) failure!: string | null;
  @ApiProperty(NULLABLE_TIME) deadAt!: string | null;
}

class EventsPage extends PageOf(
  ListedEvent,
  ['id', 'type', 'user', 'createdAt', 'attempts', 'failure'],
  ['deadAt'],
) {}

class ShownEvent extends ListedEvent {
  @ApiProperty(NULLABLE_TIME) nextAttemptAt!: string | null;
  @ApiProperty() body!: string;
}

class EventId {
  @ApiProperty() id!: string;
}

class RetriedEvents {
  @ApiProperty({ type: 'integer' }) dead!: number;
}

@Controller('admin/events')
export class EventsController {
  constructor(
    private readonly outbox: OutboxDirectory,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  @Operation('Events that wait to be delivered, or were given up, newest first', EventsPage, {
    command: 'events list',
  })
  async listOutbox(@Query() { state, ...page }: EventsQuery) {
    return mapPage(await this.outbox.list(state, page), toEvent);
  }

  /** `nextAttemptAt` is the next attempt of its account's first event. */
  @Get(':id')
  @Operation('One of them, with what is delivered', ShownEvent, { command: 'events show <id>' })
  async showOutboxEvent(@Param('id') id: string) {
    const event = await this.outbox.get(id);
    return { ...toEvent(event), nextAttemptAt: toIsoTime(event.dueAt), body: event.body };
  }

  @Post('retry')
  @Operation(
    'The same for all that were given up, and all that wait for another attempt',
    RetriedEvents,
    {
      command: 'events retry --all',
      says: ({ dead }) => `Wait to be delivered: ${dead} that were given up, and all others.`,
    },
  )
  async retryOutbox(@Actor() actor: string) {
    const retried = await this.outbox.retryAll();
    this.emit('event-retried', actor);
    return retried;
  }

  @Post(':id/retry')
  @Operation('Has it delivered as if it had never failed', EventId, {
    command: 'events retry <id>',
    says: ({ id }) => `Waits to be delivered: event ${id}.`,
  })
  async retryOutboxEvent(@Param('id') id: string, @Actor() actor: string) {
    await this.outbox.retry(id);
    this.emit('event-retried', actor, id);
    return { id };
  }

  @Delete(':id')
  @Operation('Deletes an event, so that it is not delivered', EventId, {
    command: 'events delete <id>',
    asks: async (controller: EventsController, id: string) => {
      const { type, user } = await controller.showOutboxEvent(id);
      return `Delete ${type} of ${user ?? 'no account'}, so that it is not delivered?`;
    },
    says: ({ id }) => `Deleted: event ${id}.`,
  })
  async dropOutboxEvent(@Param('id') id: string, @Actor() actor: string) {
    await this.outbox.remove(id);
    this.emit('event-dropped', actor, id);
    return { id };
  }

  /** Without an id the event is about all of them. */
  private emit(type: 'event-retried' | 'event-dropped', actor: string, id?: string) {
    const about =
      id === undefined
        ? { detail: 'all', facts: {} }
        : { detail: `event ${id}`, facts: { event: id } };
    this.events.emit({ type, userId: null, origin: '', actor, ...about });
  }
}

const toEvent = (event: OutboxEventEntity): ListedEvent => ({
  id: event.id,
  type: event.type,
  user: event.queueId === event.id ? null : deliveredId(event.queueId),
  createdAt: toIsoTime(event.createdAt),
  attempts: event.attempts,
  failure: event.failure,
  deadAt: toIsoTime(event.deadAt),
});
