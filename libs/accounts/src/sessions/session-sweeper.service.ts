import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource, In, LessThanOrEqual } from 'typeorm';
import { SessionEntity } from './session.entity.js';

const INTERVAL_MS = 10 * 60 * 1000;
const BATCH = 500;

/** Removes expired sessions in small batches, so that no statement holds up a sign-in. */
@Injectable()
export class SessionSweeperService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SessionSweeperService.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly dataSource: DataSource) {}

  onModuleInit() {
    this.timer = setInterval(() => void this.sweepQuietly(), INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** Removes every session that has expired by now; safe on several replicas at once. */
  async sweep() {
    const now = Date.now();
    let expired: SessionEntity[];
    do {
      expired = await this.dataSource.manager.find(SessionEntity, {
        select: { tokenHash: true },
        where: { expiresAt: LessThanOrEqual(now) },
        take: BATCH,
      });
      await this.dataSource.manager.delete(SessionEntity, {
        tokenHash: In(expired.map(({ tokenHash }) => tokenHash)),
        expiresAt: LessThanOrEqual(now),
      });
    } while (expired.length === BATCH);
  }

  private async sweepQuietly() {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`expired sessions were left for the next round: ${String(error)}`);
    }
  }
}
