import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  RefusalError,
  SECURITY_EVENT_TYPES,
  type SecurityEventType,
  UserDirectoryService,
} from '#libs/accounts';
import type { AuditEventEntity } from '../audit/audit-event.entity.js';
import { type AuditFilter, AuditReaderService, follow } from '../audit/audit-reader.service.js';
import {
  BoundedText,
  CommandOption,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  Optional,
  PageOf,
  PageQuery,
  TakenBy,
  Time,
  TIME,
} from './operation/input.js';
import { Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

const isEventType = (value: unknown) => SECURITY_EVENT_TYPES.some((type) => type === value);

/** `since` and `until` are read as epoch milliseconds. */
class AuditQuery extends PageQuery {
  @CommandOption('--user <id>', 'to this account')
  @Optional()
  @BoundedText(64)
  user?: string;

  @CommandOption('--type <type>', 'of this type, such as sign-in')
  @Optional()
  @ApiProperty({ type: String, minLength: 1, maxLength: 32 })
  @TakenBy(isEventType, 'a type of events, such as sign-in')
  type?: SecurityEventType;

  @CommandOption('--client <id>', 'with this client')
  @Optional()
  @BoundedText(2048)
  client?: string;

  @CommandOption('--request <id>', 'by this request, as X-Request-Id and the log have it')
  @Optional()
  @BoundedText(64)
  request?: string;

  @CommandOption('--network <hash>', 'from this network, as a row has it')
  @Optional()
  @BoundedText(64)
  network?: string;

  @CommandOption('--actor <name>', 'by this one of those who run the service')
  @Optional()
  @BoundedText(64)
  actor?: string;

  @CommandOption('--since <time>', 'since a time, or for a duration such as 24h')
  @Optional()
  @Time('ago')
  since?: number;

  @CommandOption('--until <time>', 'until a time, or so long ago')
  @Optional()
  @Time('ago')
  until?: number;
}

class AuditRow {
  @ApiProperty() id!: string;
  @ApiProperty(TIME) at!: string;
  @ApiProperty() type!: string;
  @ApiProperty(NULLABLE_TEXT) user!: string | null;
  @ApiProperty(NULLABLE_TEXT) client!: string | null;
  @ApiProperty(NULLABLE_TEXT) grant!: string | null;
  @ApiProperty(NULLABLE_TEXT) origin!: string | null;
  @ApiProperty(NULLABLE_TEXT) actor!: string | null;
  @ApiProperty(NULLABLE_TEXT) detail!: string | null;
  @ApiProperty({ type: 'integer' }) count!: number;
  @ApiProperty(NULLABLE_TIME) lastAt!: string | null;
  @ApiProperty(NULLABLE_TEXT) network!: string | null;
  @ApiProperty(NULLABLE_TEXT) request!: string | null;
}

/** The columns that a terminal shows, with their usual width in characters. */
const WIDTHS = { at: 24, type: 20, user: 22, client: 22, actor: 9, detail: 24, count: 5 };

class AuditPage extends PageOf(AuditRow, [
  'at',
  'type',
  'user',
  'client',
  'actor',
  'detail',
  'count',
]) {}

const FOLLOWED_EVERY_MS = 1000;

@Controller('admin/audit')
export class AuditController {
  constructor(
    private readonly audit: AuditReaderService,
    private readonly users: UserDirectoryService,
  ) {}

  @Get()
  @Operation('What happened, newest first', AuditPage, { command: 'audit list' })
  async listEvents(@Query() query: AuditQuery) {
    await this.expectKnown(query);
    return mapPage(await this.audit.list(query), toEvent);
  }

  /** The newest `limit` rows, oldest first, and then each as it is written. On the command line alone. */
  @Operation('goes on with what happens from now on, until it is interrupted', AuditPage, {
    command: 'audit list --follow',
    widths: WIDTHS,
  })
  async followEvents(
    { limit, after, ...filter }: AuditQuery,
    _actor: string,
    interruption: () => AbortSignal,
  ) {
    if (after !== undefined)
      throw new RefusalError(400, '--follow goes on by itself and takes no --after');
    const signal = interruption();
    await this.expectKnown(filter);
    const trail = {
      list: (newest: number) => this.audit.list({ ...filter, limit: newest }),
      listLater: (id: string, most: number) => this.audit.listLater(filter, id, most),
    };
    const pause = () => sleep(FOLLOWED_EVERY_MS, true, { signal }).catch(() => false);
    return eventsOf(follow(trail, limit, pause));
  }

  /** The rows of a deleted account stay, so an account counts as known when it has any. */
  private async expectKnown({ user }: AuditFilter) {
    if (user !== undefined && !(await this.audit.knowsUser(user))) await this.users.get(user);
  }
}

async function* eventsOf(rows: AsyncIterable<AuditEventEntity>) {
  for await (const row of rows) yield toEvent(row);
}

const toEvent = (event: AuditEventEntity): AuditRow => ({
  id: event.id,
  at: toIsoTime(event.at),
  type: event.type,
  user: event.userId,
  client: event.clientId,
  grant: event.grantId,
  origin: event.origin || null,
  actor: event.actor,
  detail: event.detail,
  count: event.count,
  lastAt: toIsoTime(event.lastAt),
  network: event.network,
  request: event.requestId,
});
