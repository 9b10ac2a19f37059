import { Injectable } from '@nestjs/common';
import type { PageRequest } from '#libs/database';
import type { AuditEventEntity } from '../audit/audit-event.entity.js';
import { type AuditFilter, AuditReaderService } from '../audit/audit-reader.service.js';
import { toIsoTime } from './iso-time.js';

/** The audit trail for those who run the service, as JSON with times in ISO 8601. */
@Injectable()
export class AuditAdministrationService {
  constructor(private readonly audit: AuditReaderService) {}

  /** Newest first. @throws UnknownPageError */
  async list(asked: AuditFilter & PageRequest) {
    const { items, next } = await this.audit.list(asked);
    return { items: items.map(toEvent), next };
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
