import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OUTBOX_STATES, type OutboxState } from '../../../outbox/outbox-directory.service.js';
import { PageOf, PageQuery } from './page.dto.js';
import { NULLABLE_TEXT, TIME } from './values.decorator.js';

export class EventsQuery extends PageQuery {
  @ApiProperty({ enum: [...OUTBOX_STATES], required: false, default: 'waiting' })
  @IsIn(OUTBOX_STATES)
  state: OutboxState = 'waiting';
}

export class ListedEvent {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty(NULLABLE_TEXT) user!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  @ApiProperty(NULLABLE_TEXT) failure!: string | null;
  @ApiProperty({ ...TIME, nullable: true }) deadAt!: string | null;
}

export class EventsPage extends PageOf(ListedEvent) {}

export class ShownEvent extends ListedEvent {
  @ApiProperty({ ...TIME, nullable: true }) nextAttemptAt!: string | null;
  @ApiProperty() body!: string;
}

export class EventId {
  @ApiProperty() id!: string;
}

export class RetriedEvents {
  @ApiProperty({ type: 'integer' }) dead!: number;
}
