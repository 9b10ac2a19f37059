import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, type EntityManager, In, LessThanOrEqual, type ObjectLiteral } from 'typeorm';
import { Intervals } from '../intervals.js';
import type { PreparedStatement } from './prepared-statement.js';

const INTERVAL_MS = 10 * 60 * 1000;
const BATCH = 100;

/** The pause after a batch, as a multiple of its duration; it leaves the database and the core to requests. */
const RESTS = 4;

/** Deletes at most `limit` rows that are no longer needed, and returns how many it found. */
export type Sweep = (dataSource: DataSource, limit: number) => Promise<number>;

interface MovingExpiry {
  /** An indexed property, for tables whose `expiresAt` changes too often for an index. Rows due by it are checked. */
  readonly dueAt: string;
  /** Updates `dueAt` of those rows that have not expired; `keys` is a JSON array. */
  readonly putOff: PreparedStatement<'keys'>;
}

/** Deletes rows of a table after their `expiresAt`; `key` is the property that is its primary key. */
export function expiredRows(
  entity: new () => ObjectLiteral,
  key: string,
  moving?: MovingExpiry,
): Sweep {
  const sweep = async (manager: EntityManager, limit: number, isPostgres: boolean) => {
    const rows = manager.createQueryBuilder(entity, 'row').select(`row.${key}`, 'id');
    // Requests lock rows in an order of their own: to wait for theirs with some in hand could be a deadlock.
    if (isPostgres) rows.setLock('pessimistic_write').setOnLocked('skip_locked');
    const now = Date.now();
    const isDue = `row.${moving?.dueAt ?? 'expiresAt'} <= :now`;
    const due = await rows.where(isDue, { now }).limit(limit).getRawMany();
    if (due.length === 0) return 0;
    const ids = due.map(({ id }) => id);
    const expired = { [key]: In(ids), expiresAt: LessThanOrEqual(now) };
    await manager.delete(entity, expired);
    await moving?.putOff.run(manager, { keys: JSON.stringify(ids) });
    return due.length;
  };
  return async (dataSource, limit) =>
    dataSource.options.type === 'postgres'
      ? dataSource.transaction((manager) => sweep(manager, limit, true))
      : sweep(dataSource.manager, limit, false);
}

/** Deletes rows that are no longer needed, every ten minutes, in batches that delay no request; on any replica. */
@Injectable()
export class SweeperService implements OnModuleDestroy {
  private readonly logger = new Logger(SweeperService.name);
  private readonly sweeps: Sweep[] = [];
  private isSweeping = false;
  private isOver = false;

  constructor(private readonly dataSource: DataSource) {}

  add(...sweeps: readonly Sweep[]): this {
    this.sweeps.push(...sweeps);
    return this;
  }

  onModuleDestroy() {
    this.isOver = true;
  }

  /** Deletes all that is due, table by table, unless a round is running or the module is destroyed. Never rejects. */
  @Interval('sweeps', INTERVAL_MS)
  async sweep(): Promise<void> {
    if (this.isSweeping) return;
    this.isSweeping = true;
    for (const sweep of this.sweeps) {
      try {
        await this.run(sweep);
      } catch (error) {
        this.logger.warn(`expired rows were left for the next round: ${String(error)}`);
      }
    }
    this.isSweeping = false;
  }

  private async run(sweep: Sweep) {
    while (!this.isOver) {
      const begunAt = performance.now();
      if ((await sweep(this.dataSource, BATCH)) < BATCH) return;
      await rest(RESTS * (performance.now() - begunAt));
    }
  }
}

const rest = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** Imported by modules that register sweeps of their tables with the one SweeperService. */
@Module({ imports: [Intervals], providers: [SweeperService], exports: [SweeperService] })
export class SweeperModule {}
