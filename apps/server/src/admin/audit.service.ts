import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UserDirectoryService } from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import type { AuditEventEntity } from '../audit/audit-event.entity.js';
import { type AuditFilter, AuditReaderService, follow } from '../audit/audit-reader.service.js';
import { mapPage, toIsoTime } from './operation/values.js';

const FOLLOWED_EVERY_MS = 1000;

/** The audit trail for operators, as JSON with times in ISO 8601. */
@Injectable()
export class AuditAdministrationService {
  constructor(
    private readonly audit: AuditReaderService,
    private readonly users: UserDirectoryService,
  ) {}

  /**
   * Newest first. Throws RefusalError 404 for an account that never existed.
   * @throws UnknownPageError
   */
  async list(asked: AuditFilter & PageRequest) {
    await this.expectKnown(asked);
    return mapPage(await this.audit.list(asked), toEvent);
  }

  /**
   * Yields the newest `limit` rows, oldest first, and then each row as it is written, until the signal is aborted.
   */
  async follow(
    { limit, ...filter }: AuditFilter & { readonly limit: number },
    signal: AbortSignal,
  ) {
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

const toEvent = (event: AuditEventEntity) => ({
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
