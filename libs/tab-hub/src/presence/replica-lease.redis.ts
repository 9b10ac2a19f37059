import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { isRedisOutage } from '#libs/database';
import { Audience } from '../bus/emitter.js';
import { REPLICAS } from './tab-presence-keys.js';

/** A replica under one id, until it is given up for dead. */
export interface Place {
  readonly id: string;
  /** Whether Redis is known to have a record of it. */
  isKnown: boolean;
  /** When the call was made that last showed Redis that it is alive; `performance.now()`. */
  heardAt: number;
}

/** This process' place among the replicas; it gets a new one whenever the others may have buried the old. */
export class ReplicaPlace {
  readonly losses = new Audience((error) => this.logger.error(error));
  private readonly logger = new Logger('TabPresence');
  private place = newPlace();

  constructor(
    private readonly redis: Redis,
    private readonly deadMs: number,
  ) {}

  get current(): Place {
    return this.place;
  }

  /** Shows Redis that this replica is alive; never rejects. Returns the ids of dead replicas, some at a time. */
  async renew(): Promise<readonly string[]> {
    const { place } = this;
    const askedAt = performance.now();
    const isKnown = place.isKnown ? 1 : 0;
    try {
      const dead = await this.redis.tabsBeat(REPLICAS, this.deadMs, place.id, isKnown);
      if (dead === null) this.lose(place, 'another replica gave it up');
      else this.heard(place, askedAt);
      return dead ?? [];
    } catch (error) {
      if (!isRedisOutage(error)) this.logger.error(error);
      const isOverdue = performance.now() - place.heardAt > this.deadMs;
      if (place.isKnown && isOverdue) this.lose(place, 'Redis has been away for too long');
      return [];
    }
  }

  heard(place: Place, askedAt: number): void {
    place.isKnown = true;
    place.heardAt = Math.max(place.heardAt, askedAt);
  }

  /** Does nothing when `place` has been given up already. */
  lose(place: Place, reason: string): void {
    if (place !== this.place) return;
    this.place = newPlace();
    this.logger.warn(`this replica has lost its tabs: ${reason}`);
    this.losses.tell();
  }
}

const newPlace = (): Place => ({
  id: randomBytes(12).toString('base64url'),
  isKnown: false,
  heardAt: performance.now(),
});
