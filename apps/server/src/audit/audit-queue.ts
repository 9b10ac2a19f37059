import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isDatabaseOutage, OutageLog, outsideOfRequests } from '#libs/platform';
import type { OutboxService } from '../outbox/outbox.service.js';
import { insertAuditRows, outdatedBy } from './audit.store.js';
import type { PendingRow } from './audit-counters.js';

const MAX_WAITING = 20_000;
const CROWDED = 10_000;
const BATCH = 100;
const RETRY_MS = 1_000;

type Batch = readonly (readonly [PendingRow, isTold: boolean])[];

/**
 * Rows of the audit trail that wait to be written, in order, 20,000 at most; one may return when its count has grown.
 */
export class AuditQueue {
  /** Rows that will not be written: the queue was full, the database refused them, or the service ended. */
  lost = 0;
  private readonly fullness: OutageLog;
  /** With whether the outbox gets an event of the row. */
  private waiting = new Map<PendingRow, boolean>();
  private readonly closing = new AbortController();
  private writing: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
    private readonly outbox: Pick<OutboxService, 'copies' | 'wakeUp'>,
  ) {
    this.fullness = new OutageLog(logger);
  }

  /** Whether the queue is nearly full: from here on it keeps its room for events that strangers cannot cause. */
  get isCrowded() {
    return this.waiting.size >= CROWDED;
  }

  add(pending: PendingRow) {
    if (this.tryAdd(pending)) return;
    this.lost += 1;
    this.fullness.begin(
      'the audit queue is full: further rows are in this log alone, until the database takes some',
    );
  }

  /** Queues a row that is added again later if the queue is full; its event may wait longer than the row. */
  tryAdd(pending: PendingRow, isTold = true): boolean {
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(pending)) return false;
    this.waiting.set(pending, isTold || this.waiting.get(pending) === true);
    this.writing ??= outsideOfRequests(() => this.write()).finally(() => {
      this.writing = undefined;
    });
    return true;
  }

  async close() {
    this.closing.abort();
    await this.writing;
  }

  /**
   * A row of the batch being written can be queued again. A refused batch is retried row by row, without the refused
   * one.
   */
  private async write() {
    let size = BATCH;
    while (this.waiting.size > 0) {
      const batch = this.take(size);
      const counts = batch.map(([{ row }]) => row.count);
      const result = await this.insert(batch);
      const isDropped = result === 'refused' && batch.length === 1;
      if (isDropped) {
        size = BATCH;
        this.lost += 1;
      }
      if (isDropped || result === 'written') {
        for (const [n, [pending, isTold]] of batch.entries()) {
          pending.writtenCount = counts[n] ?? 0;
          if (isTold) pending.toldCount = pending.writtenCount;
        }
        continue;
      }
      const later = this.waiting;
      this.waiting = new Map(batch);
      for (const [pending, isTold] of later) {
        this.waiting.set(pending, isTold || this.waiting.get(pending) === true);
      }
      if (result === 'refused') size = 1;
      else if (this.closing.signal.aborted) return this.loseAll();
      else await sleep(RETRY_MS, undefined, this.closing).catch(() => {});
    }
  }

  private take(size: number): Batch {
    const batch: [PendingRow, boolean][] = [];
    for (const entry of this.waiting) {
      if (batch.length === size) break;
      batch.push(entry);
      this.waiting.delete(entry[0]);
    }
    return batch;
  }

  private loseAll() {
    const { size } = this.waiting;
    this.lost += size;
    this.logger.error(
      `${size} audit rows are lost: the service ends before the database takes them`,
    );
  }

  /** A batch whose answer was lost is written again; rows that already exist keep the same count. */
  private async insert(batch: Batch): Promise<'written' | 'refused' | 'later'> {
    try {
      const rows = batch.map(([{ row }]) => row);
      const told = batch.filter(([, isTold]) => isTold).map(([pending]) => pending);
      const outdated = told.flatMap(outdatedBy);
      const events = told.map(({ row }) => row);
      await insertAuditRows(this.dataSource, rows, this.outbox.copies, outdated, events);
      this.outbox.wakeUp();
      this.fullness.end(`the audit queue has room again; ${this.lost} rows were lost so far`);
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
