import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { RefusalError } from '#libs/accounts';
import { AuditUsage, type Usage } from '../audit/audit-usage.store.js';
import { NULLABLE_TEXT, OptionalText, OptionalTime, PageOf, TIME } from './operation/input.js';
import { Operation } from './operation/operation.js';
import { toIsoTime } from './operation/values.js';

const DEFAULT_MS = 30 * 24 * 60 * 60 * 1000;

/** One of `user` and `client`; `since` is read as epoch milliseconds. */
class UsageQuery {
  @OptionalText(64, '--user <id>', 'of the apps of this account') user?: string;
  @OptionalText(2048, '--client <id>', 'of this client, for all its accounts') client?: string;
  @OptionalTime('ago', '--since <time>', 'since a time, or for a duration (default: 30d)')
  since?: number;
}

class UsageRow {
  @ApiProperty(NULLABLE_TEXT) client!: string | null;
  @ApiProperty(NULLABLE_TEXT) app!: string | null;
  @ApiProperty(NULLABLE_TEXT) kind!: string | null;
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
  @ApiProperty({ type: 'integer' }) calls!: number;
  @ApiProperty({ type: 'integer' }) refused!: number;
  @ApiProperty({ type: 'integer' }) failed!: number;
  @ApiProperty({ type: 'integer' }) credits!: number;
  @ApiProperty({ type: 'integer' }) durationMs!: number;
  @ApiProperty(TIME) lastAt!: string;
}

class UsagePage extends PageOf(UsageRow, [
  'app',
  'client',
  'kind',
  'name',
  'calls',
  'refused',
  'failed',
  'credits',
  'lastAt',
]) {}

const toRow = (row: Usage): UsageRow => ({ ...row, lastAt: toIsoTime(row.lastAt) });

@Controller('admin/usage')
export class UsageController {
  constructor(private readonly usage: AuditUsage) {}

  @Get()
  @Operation('What apps did and what it cost, for each app and tool', UsagePage, {
    command: 'usage list',
  })
  async listUsage(@Query() { user, client, since = Date.now() - DEFAULT_MS }: UsageQuery) {
    const holder = user ?? client;
    if (holder === undefined || (user !== undefined && client !== undefined)) {
      throw new RefusalError(400, 'usage takes either user or client');
    }
    const rows = await this.usage.list(user === undefined ? 'client' : 'user', holder, since);
    return { items: rows.map(toRow), next: null };
  }
}
