import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OUTBOX_STATES, type OutboxState } from '../outbox/outbox-directory.service.js';
import { EventsAdministrationService } from './events.service.js';
import { Operation } from './http/admin-document.js';
import { Actor } from './http/admin-token.guard.js';
import { NULLABLE_TEXT, NULLABLE_TIME, PageOf, PageQuery, TIME } from './operation/page.dto.js';

class EventsQuery extends PageQuery {
  @ApiProperty({ enum: [...OUTBOX_STATES], required: false, default: 'waiting' })
  @IsIn(OUTBOX_STATES)
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

class EventsPage extends PageOf(ListedEvent) {}

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
  @Operation('Events that wait to be delivered, or were given up, newest first', EventsPage)
  listOutbox(@Query() asked: EventsQuery): Promise<EventsPage> {
    return this.events.list(asked);
  }

  @Get(':id')
  @Operation('One of them, with what is delivered', ShownEvent)
  showOutboxEvent(@Param('id') id: string): Promise<ShownEvent> {
    return this.events.show(id);
  }

  @Post('retry')
  @Operation(
    'The same for all that were given up, and all that wait for another attempt',
    RetriedEvents,
  )
  retryOutbox(@Actor() actor: string): Promise<RetriedEvents> {
    return this.events.retryAll(actor);
  }

  @Post(':id/retry')
  @Operation('Has it delivered as if it had never failed', EventId)
  retryOutboxEvent(@Param('id') id: string, @Actor() actor: string): Promise<EventId> {
    return this.events.retry(id, actor);
  }

  @Delete(':id')
  @Operation('Deletes an event, so that it is not delivered', EventId)
  dropOutboxEvent(@Param('id') id: string, @Actor() actor: string): Promise<EventId> {
    return this.events.remove(id, actor);
  }
}
