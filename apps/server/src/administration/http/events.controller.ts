import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { EventsAdministrationService } from '../events-administration.service.js';
import { Actor } from './admin-token.guard.js';
import { EventId, EventsPage, EventsQuery, RetriedEvents, ShownEvent } from './dto/events.dto.js';
import { Operation } from './operation.decorator.js';

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
