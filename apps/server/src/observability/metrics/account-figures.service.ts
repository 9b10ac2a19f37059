import { Inject, Injectable, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { Gauge, Registry } from '../prometheus.js';
import { type AccountFigures, countAccounts, FIGURES } from './account-figures.store.js';

const PERIOD_MS = 5 * 60_000;
/** How often a replica checks whether another one has counted. */
const LOOK_MS = 60_000;
/** The lifetime of the counting lock: by then the count has ended or failed. */
const TURN_MS = 30_000;

const KEY = 'accounts:figures';

/**
 * The number of users, sessions and grants, counted every five minutes; with Redis by one replica for all. A count
 * reads whole indexes, so it is not part of a scrape.
 */
@Injectable()
export class AccountFiguresService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Figures');
  private readonly gauges: Readonly<Record<keyof AccountFigures, Gauge>>;
  private rounds = 0;

  constructor(
    registry: Registry,
    private readonly dataSource: DataSource,
    @Optional() @Inject(Redis) private readonly redis: Redis | undefined,
  ) {
    const gauge = (name: keyof AccountFigures, help: string) => {
      const one = new Gauge({ name: `gatehouse_${name}`, help, registers: [registry] });
      // Before the first count the gauge has no value.
      one.remove();
      return one;
    };
    this.gauges = {
      users: gauge('users', 'Accounts, of all replicas together, as every five minutes'),
      sessions: gauge('sessions', 'Sessions that have not ended, of all replicas together'),
      grants: gauge('grants', 'Apps that are connected to accounts, of all replicas together'),
    };
  }

  onApplicationBootstrap() {
    void this.look();
  }

  /** During an outage of its storages the gauges keep their last values. */
  @Interval('account-figures', LOOK_MS)
  async look() {
    if (!this.redis && this.rounds++ % (PERIOD_MS / LOOK_MS) > 0) return;
    try {
      const figures = this.redis
        ? await this.shared(this.redis)
        : await countAccounts(this.dataSource);
      for (const name of FIGURES) if (figures) this.gauges[name].set(figures[name]);
    } catch (error) {
      this.logger.debug(`accounts were not counted: ${String(error)}`);
    }
  }

  /** Undefined while another replica counts. */
  private async shared(redis: Redis): Promise<AccountFigures | undefined> {
    const counted = await redis.get(KEY);
    if (counted !== null) return JSON.parse(counted) as AccountFigures;
    const isTurn = await redis.set(`${KEY}:turn`, '1', 'PX', TURN_MS, 'NX');
    if (isTurn === null) return undefined;
    const figures = await countAccounts(this.dataSource);
    await redis.set(KEY, JSON.stringify(figures), 'PX', PERIOD_MS);
    return figures;
  }
}
