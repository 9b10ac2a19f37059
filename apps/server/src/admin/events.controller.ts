import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { OUTBOX_STATES, type OutboxState } from '../outbox/outbox-directory.service.js';
import { EventsAdministrationService } from './events.service.js';
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
  constructor(private readonly events: EventsAdministrationService) {}

  @Get()
  @Operation('Events that wait to be delivered, or were given up, newest first', EventsPage, {
    command: 'events list',
  })
  listOutbox(@Query() query: EventsQuery) {
    return this.events.list(query);
  }

  @Get(':id')
  @Operation('One of them, with what is delivered', ShownEvent, { command: 'events show <id>' })
  showOutboxEvent(@Param('id') id: string) {
    return this.events.show(id);
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
  retryOutbox(@Actor() actor: string) {
    return this.events.retryAll(actor);
  }

  @Post(':id/retry')
  @Operation('Has it delivered as if it had never failed', EventId, {
    command: 'events retry <id>',
    says: ({ id }) => `Waits to be delivered: event ${id}.`,
  })
  retryOutboxEvent(@Param('id') id: string, @Actor() actor: string) {
    return this.events.retry(id, actor);
  }

  @Delete(':id')
  @Operation('Deletes an event, so that it is not delivered', EventId, {
    command: 'events delete <id>',
    asks: async ({ events }: EventsController, id: string) => {
      const { type, user } = await events.show(id);
      return `Delete ${type} of ${user ?? 'no account'}, so that it is not delivered?`;
    },
    says: ({ id }) => `Deleted: event ${id}.`,
  })
  dropOutboxEvent(@Param('id') id: string, @Actor() actor: string) {
    return this.events.remove(id, actor);
  }
}
