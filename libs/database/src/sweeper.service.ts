import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type DataSource, In, type ObjectLiteral } from 'typeorm';

const INTERVAL_MS = 10 * 60 * 1000;
const BATCH = 500;

/** A table whose rows are of no use after `expiresAt`, and the property that is its primary key. */
interface ExpiringTable {
  readonly entity: new () => ObjectLiteral;
  readonly key: string;
}

/**
 * Removes expired rows now and then, in small batches, so that no statement holds up a request.
 * Safe on several replicas at once.
 */
export abstract class SweeperService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | undefined;

  protected constructor(
    private readonly dataSource: DataSource,
    private readonly tables: readonly ExpiringTable[],
  ) {}

  onModuleInit() {
    this.timer = setInterval(() => void this.sweepQuietly(), INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** Removes every row that has expired by now. */
  async sweep() {
    for (const table of this.tables) while ((await this.sweepBatch(table)) === BATCH);
  }

  private async sweepBatch({ entity, key }: ExpiringTable) {
    const rows = this.dataSource.createQueryBuilder(entity, 'row').select(`row.${key}`, 'id');
    const now = Date.now();
    const expired = await rows.where('row.expiresAt <= :now', { now }).limit(BATCH).getRawMany();
    if (expired.length === 0) return 0;
    await this.dataSource.manager.delete(entity, { [key]: In(expired.map(({ id }) => id)) });
    return expired.length;
  }

  private async sweepQuietly() {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`expired rows were left for the next round: ${String(error)}`);
    }
  }
}
