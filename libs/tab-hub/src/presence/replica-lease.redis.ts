import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { isRedisOutage } from '#libs/platform';
import { Emitter } from '../bus/emitter.js';
import { REPLICAS } from './tab-presence-keys.js';

/** A replica under one id, until it is given up for dead. */
export interface Lease {
  readonly id: string;
  /** Whether Redis is known to have a record of it. */
  isKnown: boolean;
  /** When the call was made that last showed Redis that it is alive; `performance.now()`. */
  renewedAt: number;
}

/** This process' lease among the replicas; it takes a new one whenever the others may have given up the old. */
export class ReplicaLease {
  readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly logger = new Logger('TabPresence');
  private lease = newLease();

  constructor(
    private readonly redis: Redis,
    private readonly deadMs: number,
  ) {}

  get current(): Lease {
    return this.lease;
  }

  /** Shows Redis that this replica is alive; never rejects. Returns the ids of dead replicas, some at a time. */
  async renew(): Promise<readonly string[]> {
    const { lease } = this;
    const askedAt = performance.now();
    const isKnown = lease.isKnown ? 1 : 0;
    try {
      const dead = await this.redis.tabsHeartbeat(REPLICAS, this.deadMs, lease.id, isKnown);
      if (dead === null) this.lose(lease, 'another replica gave it up');
      else this.renewed(lease, askedAt);
      return dead ?? [];
    } catch (error) {
      if (!isRedisOutage(error)) this.logger.error(error);
      const isOverdue = performance.now() - lease.renewedAt > this.deadMs;
      if (lease.isKnown && isOverdue) this.lose(lease, 'Redis has been away for too long');
      return [];
    }
  }

  renewed(lease: Lease, askedAt: number): void {
    lease.isKnown = true;
    lease.renewedAt = Math.max(lease.renewedAt, askedAt);
  }

  /** Does nothing when `lease` has been given up already. */
  lose(lease: Lease, reason: string): void {
    if (lease !== this.lease) return;
    this.lease = newLease();
    this.logger.warn(`this replica has lost its tabs: ${reason}`);
    this.losses.emit();
  }
}

const newLease = (): Lease => ({
  id: randomBytes(12).toString('base64url'),
  isKnown: false,
  renewedAt: performance.now(),
});
