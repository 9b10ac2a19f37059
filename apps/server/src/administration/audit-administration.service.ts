import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PageRequest } from '#libs/database';
import type { AuditEventEntity } from '../audit/audit-event.entity.js';
import { follow } from '../audit/audit-following.js';
import { type AuditFilter, AuditReaderService } from '../audit/audit-reader.service.js';
import { toIsoTime } from './iso-time.js';

const FOLLOWED_EVERY_MS = 1000;

/** The audit trail for those who run the service, as JSON with times in ISO 8601. */
@Injectable()
export class AuditAdministrationService {
  constructor(private readonly audit: AuditReaderService) {}

  /** Newest first. @throws UnknownPageError */
  async list(asked: AuditFilter & PageRequest) {
    const { items, next } = await this.audit.list(asked);
    return { items: items.map(toEvent), next };
  }

  /** The newest `limit`, the oldest of them first, and then each as it is written, until the signal. */
  async *follow(
    { limit, ...filter }: AuditFilter & { readonly limit: number },
    signal: AbortSignal,
  ) {
    const trail = {
      list: (newest: number) => this.audit.list({ ...filter, limit: newest }),
      listLater: (id: string, most: number) => this.audit.listLater(filter, id, most),
    };
    const pause = () => sleep(FOLLOWED_EVERY_MS, true, { signal }).catch(() => false);
    for await (const event of follow(trail, limit, pause)) yield toEvent(event);
  }
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
