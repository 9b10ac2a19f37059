import { Inject, Injectable, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Redis } from 'ioredis';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

const PERIOD_MS = 5 * 60_000;
/** How often a replica checks whether another one has counted. */
const LOOK_MS = 60_000;
/** The lifetime of the counting lock: by then the count has ended or failed. */
const TURN_MS = 30_000;

const KEY = 'accounts:figures';

const NAMES = ['users', 'sessions', 'grants'] as const;

type Figures = Readonly<Record<(typeof NAMES)[number], number>>;

const COUNT = `
  SELECT (SELECT COUNT(*) FROM users) AS users,
    (SELECT COUNT(*) FROM sessions WHERE expires_at > $1) AS sessions,
    (SELECT COUNT(*) FROM oauth_grants WHERE revoked_at IS NULL AND expires_at > $1) AS grants`;

/**
 * The number of users, sessions and grants, counted every five minutes; with Redis by one replica for all. A count
 * reads whole indexes, so it is not part of a scrape.
 */
@Injectable()
export class AccountFiguresService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Figures');
  private dueAt = 0;
  private readonly gauges: Readonly<Record<keyof Figures, Gauge>>;

  constructor(
    registry: Registry,
    private readonly dataSource: DataSource,
    @Optional() @Inject(Redis) private readonly redis: Redis | undefined,
  ) {
    const gauge = (name: keyof Figures, help: string) => {
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
    if (!this.redis && performance.now() < this.dueAt) return;
    this.dueAt = performance.now() + PERIOD_MS - LOOK_MS / 2;
    try {
      const figures = this.redis ? await this.shared(this.redis) : await this.count();
      for (const name of NAMES) if (figures) this.gauges[name].set(figures[name]);
    } catch (error) {
      this.logger.debug(`accounts were not counted: ${String(error)}`);
    }
  }

  /** Undefined while another replica counts. */
  private async shared(redis: Redis): Promise<Figures | undefined> {
    const counted = await redis.get(KEY);
    if (counted !== null) return JSON.parse(counted) as Figures;
    const isTurn = await redis.set(`${KEY}:turn`, '1', 'PX', TURN_MS, 'NX');
    if (isTurn === null) return undefined;
    const figures = await this.count();
    await redis.set(KEY, JSON.stringify(figures), 'PX', PERIOD_MS);
    return figures;
  }

  private async count(): Promise<Figures> {
    const rows = await this.dataSource.query<Record<string, unknown>[]>(COUNT, [Date.now()]);
    const { users, sessions, grants } = rows[0] ?? {};
    return { users: Number(users), sessions: Number(sessions), grants: Number(grants) };
  }
}
