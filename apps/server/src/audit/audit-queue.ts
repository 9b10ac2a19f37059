import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isDatabaseOutage } from '#libs/platform';
import type { OutboxService } from '../outbox/outbox.service.js';
import { insertAuditRows, outdatedBy } from './audit.store.js';
import type { PendingRow } from './audit-counters.js';

const MAX_WAITING = 20_000;
const CROWDED = 10_000;
const BATCH = 100;
const RETRY_MS = 1_000;

/**
 * Rows of the audit trail that wait to be written, in the order of arrival. While the database is down they wait in
 * memory, 20,000 at most. A written row may be queued again when its count has grown.
 */
export class AuditQueue {
  private waiting = new Set<PendingRow>();
  private readonly closing = new AbortController();
  private writing: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
    private readonly outbox: Pick<OutboxService, 'copies' | 'wakeUp'>,
  ) {}

  /** Whether the queue is nearly full: from here on it keeps its room for events that strangers cannot cause. */
  get isCrowded() {
    return this.waiting.size >= CROWDED;
  }

  /** Queues a row, or drops it when the queue is full. */
  add(pending: PendingRow) {
    if (this.waiting.size >= MAX_WAITING) return;
    this.waiting.add(pending);
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
    });
  }

  /** Makes one last attempt to write the queued rows. */
  async close() {
    this.closing.abort();
    await this.writing;
  }

  /**
   * The batch being written is not in `waiting`, so a row can be queued again when its count grows during the write.
   * When the database refuses a batch, the rows are retried one by one and the refused row is dropped, so that it
   * does not block the others.
   */
  private async write() {
    let size = BATCH;
    while (this.waiting.size > 0) {
      const batch = this.take(size);
      const counts = batch.map(({ row }) => row.count);
      const result = await this.insert(batch);
      const isDropped = result === 'refused' && batch.length === 1;
      if (isDropped) size = BATCH;
      if (isDropped || result === 'written') {
        for (const [n, pending] of batch.entries()) pending.writtenCount = counts[n] ?? 0;
        continue;
      }
      this.waiting = new Set([...batch, ...this.waiting]);
      if (result === 'refused') size = 1;
      else if (this.closing.signal.aborted) return;
      else await sleep(RETRY_MS, undefined, this.closing).catch(() => {});
    }
  }

  private take(size: number): PendingRow[] {
    const batch = [...this.waiting].slice(0, size);
    for (const pending of batch) this.waiting.delete(pending);
    return batch;
  }

  /** A batch whose answer was lost is written again; rows that already exist keep the same count. */
  private async insert(batch: readonly PendingRow[]): Promise<'written' | 'refused' | 'later'> {
    try {
      const rows = batch.map(({ row }) => row);
      const outdated = batch.flatMap(outdatedBy);
      await insertAuditRows(this.dataSource, rows, this.outbox.copies, outdated);
      this.outbox.wakeUp();
      return 'written';
    } catch (error) {
      if (isDatabaseOutage(error)) {
        this.logger.warn(`${this.waiting.size + batch.length} audit rows wait: ${String(error)}`);
        return 'later';
      }
      this.logger.error(`the database does not take one of ${batch.length}: ${String(error)}`);
      return 'refused';
    }
  }
}
