import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type DataSource, In, LessThanOrEqual, type ObjectLiteral } from 'typeorm';
import type { PreparedStatement } from './prepared-statement.sql.js';

const INTERVAL_MS = 10 * 60 * 1000;
const BATCH = 100;

/** After a batch it rests for so many times as long as that took, so that others have the database and the core. */
const RESTS = 4;

/** A table whose rows are of no use after `expiresAt`, and the property that is its primary key. */
interface ExpiringTable {
  readonly entity: new () => ObjectLiteral;
  readonly key: string;
  /** Where `expiresAt` moves too often to be indexed: a property that is. Rows due by it are looked at. */
  readonly dueAt?: string;
  /** Moves `dueAt` of those rows that have not expired; its parameter is a JSON array of their keys. */
  readonly putOff?: PreparedStatement;
}

/**
 * Removes expired rows now and then, in small batches, so that no statement holds up a request.
 * Safe on several replicas at once.
 */
export abstract class SweeperService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private isOver = false;

  protected constructor(
    private readonly dataSource: DataSource,
    private readonly tables: readonly ExpiringTable[],
  ) {}

  onModuleInit() {
    this.timer = setInterval(() => void this.sweepQuietly(), INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
    this.isOver = true;
  }

  /** Removes every row that has expired by now, unless its module ends. */
  async sweep() {
    for (const table of this.tables) await this.sweepTable(table);
  }

  private async sweepTable(table: ExpiringTable) {
    while (!this.isOver) {
      const begunAt = performance.now();
      if ((await this.sweepBatch(table)) < BATCH) return;
      await rest(RESTS * (performance.now() - begunAt));
    }
  }

  /** Returns how many rows were due, at most a batch. */
  protected async sweepBatch(table: ExpiringTable): Promise<number> {
    const { entity, key, dueAt = 'expiresAt', putOff } = table;
    const rows = this.dataSource.createQueryBuilder(entity, 'row').select(`row.${key}`, 'id');
    const now = Date.now();
    const due = await rows.where(`row.${dueAt} <= :now`, { now }).limit(BATCH).getRawMany();
    if (due.length === 0) return 0;
    const ids = due.map(({ id }) => id);
    const expired = { [key]: In(ids), expiresAt: LessThanOrEqual(now) };
    await this.dataSource.manager.delete(entity, expired);
    await putOff?.run(this.dataSource, [JSON.stringify(ids)]);
    return due.length;
  }

  private async sweepQuietly() {
    this.round ??= this.sweep().finally(() => (this.round = undefined));
    try {
      await this.round;
    } catch (error) {
      this.logger.warn(`expired rows were left for the next round: ${String(error)}`);
    }
  }
}

const rest = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
