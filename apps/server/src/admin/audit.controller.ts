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
import { eventData } from '../audit/audit.store.js';
import { type AuditFilter, AuditReader } from '../audit/audit-reader.store.js';
import {
  CommandOption,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  Optional,
  OptionalText,
  OptionalTime,
  PageOf,
  PageQuery,
  TakenBy,
  TIME,
} from './operation/input.js';
import { Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

const isEventType = (value: unknown) => SECURITY_EVENT_TYPES.some((type) => type === value);

/** `since` and `until` are read as epoch milliseconds. */
class AuditQuery extends PageQuery {
  @OptionalText(64, '--user <id>', 'to this account') user?: string;

  @CommandOption('--type <type>', 'of this type, such as sign-in')
  @Optional()
  @ApiProperty({ type: String, minLength: 1, maxLength: 32 })
  @TakenBy(isEventType, 'a type of events, such as sign-in')
  type?: SecurityEventType;

  @OptionalText(2048, '--client <id>', 'with this client') client?: string;
  @OptionalText(64, '--request <id>', 'by this request, as X-Request-Id and the log have it')
  request?: string;
  @OptionalText(64, '--network <hash>', 'from this network, as a row has it') network?: string;
  @OptionalText(64, '--actor <name>', 'by this one of those who run the service') actor?: string;
  @OptionalTime('ago', '--since <time>', 'since a time, or for a duration such as 24h')
  since?: number;
  @OptionalTime('ago', '--until <time>', 'until a time, or so long ago') until?: number;
}

/** The members of a delivered event, with its type and time. */
class AuditRow {
  @ApiProperty() id!: string;
  @ApiProperty(TIME) at!: string;
  @ApiProperty() type!: string;
  @ApiProperty(NULLABLE_TEXT) user!: string | null;
  @ApiProperty(NULLABLE_TEXT) client!: string | null;
  @ApiProperty(NULLABLE_TEXT) app!: string | null;
  @ApiProperty(NULLABLE_TEXT) grant!: string | null;
  @ApiProperty(NULLABLE_TEXT) browser!: string | null;
  @ApiProperty(NULLABLE_TEXT) origin!: string | null;
  @ApiProperty(NULLABLE_TEXT) actor!: string | null;
  @ApiProperty(NULLABLE_TEXT) detail!: string | null;
  @ApiProperty({ type: 'integer' }) count!: number;
  @ApiProperty(NULLABLE_TIME) lastAt!: string | null;
  @ApiProperty(NULLABLE_INTEGER) credits!: number | null;
  @ApiProperty(NULLABLE_INTEGER) durationMs!: number | null;
  @ApiProperty(NULLABLE_TEXT) network!: string | null;
  @ApiProperty(NULLABLE_TEXT) request!: string | null;
  @ApiProperty(NULLABLE_TEXT) invite!: string | null;
  @ApiProperty(NULLABLE_TEXT) host!: string | null;
  @ApiProperty(NULLABLE_TEXT) event!: string | null;
  @ApiProperty(NULLABLE_INTEGER) limit!: number | null;
  @ApiProperty(NULLABLE_TEXT) tool!: string | null;
  @ApiProperty(NULLABLE_TEXT) outcome!: string | null;
  @ApiProperty(NULLABLE_TEXT) reason!: string | null;
  @ApiProperty(NULLABLE_TEXT) kind!: string | null;
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
  @ApiProperty(NULLABLE_TEXT) title!: string | null;
  @ApiProperty(NULLABLE_TEXT) page!: string | null;
  @ApiProperty(NULLABLE_TEXT) pageTitle!: string | null;
  @ApiProperty(NULLABLE_TEXT) approved!: string | null;
  @ApiProperty({ type: 'boolean', nullable: true }) passkey!: boolean | null;
  @ApiProperty(NULLABLE_TEXT) changed!: string | null;
}

/** The columns that a terminal shows, with their usual width in characters. */
const WIDTHS = { at: 24, type: 20, user: 22, client: 22, actor: 9, detail: 24, count: 5 };
const COLUMNS = ['at', 'type', 'user', 'client', 'actor', 'detail', 'count'] as const;

class AuditPage extends PageOf(AuditRow, COLUMNS, ['app', 'credits']) {}

const FOLLOWED_EVERY_MS = 1000;

@Controller('admin/audit')
export class AuditController {
  constructor(
    private readonly audit: AuditReader,
    private readonly users: UserDirectoryService,
  ) {}

  @Get()
  @Operation('What happened, newest first', AuditPage, { command: 'audit list' })
  async listEvents(@Query() query: AuditQuery) {
    await this.expectKnown(query);
    return mapPage(await this.audit.list(query), toRow);
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
    const pause = () => sleep(FOLLOWED_EVERY_MS, true, { signal }).catch(() => false);
    return eventsOf(this.audit.follow(filter, limit, pause));
  }

  /** The rows of a deleted account stay, so an account counts as known when it has any. */
  private async expectKnown({ user }: AuditFilter) {
    if (user !== undefined && !(await this.audit.knowsUser(user))) await this.users.get(user);
  }
}

async function* eventsOf(rows: AsyncIterable<AuditEventEntity>) {
  for await (const row of rows) yield toRow(row);
}

const toRow = (row: AuditEventEntity): AuditRow => {
  const { id, ...data } = eventData(row);
  return { id, at: toIsoTime(row.at), type: row.type, ...data };
};
