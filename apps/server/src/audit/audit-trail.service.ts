import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as nextTimeOrderedId } from 'uuid';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { isDatabaseOutage } from '#libs/database';
import { currentRequestId } from '../observability/logging/request-id.js';
import { AuditEventEntity } from './audit-event.entity.js';

const KEPT_MS = 180 * 24 * 60 * 60 * 1000;
const MAX_WAITING = 10_000;
const BATCH = 100;
const RETRY_MS = 1_000;

/**
 * Writes every security event down twice: as a log line at once, and as a row that is kept for 180
 * days. Rows wait in memory while the database is out of service, 10,000 at most; beyond that, where
 * the process is killed before they are written, and of a row that the database will never take, the
 * log line alone remains.
 *
 * The ids are version 7 UUIDs (RFC 9562 §6.2), each greater than the one before it in this process: rows
 * of a replica with the same time are in the order of their ids.
 */
@Injectable()
export class AuditTrailService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Audit');
  private readonly waiting: AuditEventEntity[] = [];
  private readonly closing = new AbortController();
  private writing: Promise<void> | undefined;
  private unsubscribe: () => void = () => {};

  constructor(
    private readonly events: SecurityEventsService,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit() {
    this.unsubscribe = this.events.listen((event) => this.record(event));
  }

  /** Gives what waits one last try. */
  async onModuleDestroy() {
    this.unsubscribe();
    this.closing.abort();
    await this.writing;
  }

  private record(event: SecurityEvent) {
    const row = toRow(event, currentRequestId());
    const { id: _id, at: _at, expiresAt: _expiresAt, requestId: _requestId, ...fields } = row;
    this.logger.log(fields, event.type);
    if (this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(row);
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
    });
  }

  private async write() {
    let size = BATCH;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, size);
      const result = await this.insert(batch);
      if (result === 'written') this.waiting.splice(0, batch.length);
      else if (result === 'refused') size = this.sizeAfterRefusalOf(batch);
      else if (this.closing.signal.aborted) return;
      else await sleep(RETRY_MS, undefined, this.closing).catch(() => {});
    }
  }

  /** A row that cannot be written must not keep the others out: it is found one by one, and dropped. */
  private sizeAfterRefusalOf(batch: readonly AuditEventEntity[]): number {
    if (batch.length > 1) return 1;
    this.waiting.shift();
    return BATCH;
  }

  /** A batch whose answer was lost is written again, so what is there already does not matter. */
  private async insert(batch: AuditEventEntity[]): Promise<'written' | 'refused' | 'later'> {
    try {
      const insertion = this.dataSource.createQueryBuilder().insert().into(AuditEventEntity);
      await insertion.values(batch).orIgnore().execute();
      return 'written';
    } catch (error) {
      if (isDatabaseOutage(error)) {
        this.logger.warn(`${this.waiting.length} audit events wait: ${String(error)}`);
        return 'later';
      }
      this.logger.error(`the database does not take one of ${batch.length}: ${String(error)}`);
      return 'refused';
    }
  }
}

function toRow(event: SecurityEvent, requestId: string | undefined): AuditEventEntity {
  const { type, userId, clientId = null, grantId = null, origin } = event;
  const at = Date.now();
  return {
    id: nextTimeOrderedId(),
    at,
    type,
    userId,
    clientId,
    grantId,
    origin,
    requestId: requestId ?? null,
    expiresAt: at + KEPT_MS,
  };
}
