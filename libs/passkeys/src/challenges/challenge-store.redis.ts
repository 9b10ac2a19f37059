import type { Redis } from 'ioredis';
import type { Challenge } from './challenge.js';
import { ChallengeStore } from './challenge-store.js';

/** Keeps challenges in Redis for all replicas: SET with an expiry, GETDEL (Redis 6.2) to take. */
export class RedisChallengeStore extends ChallengeStore {
  constructor(private readonly redis: Redis) {
    super();
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number) {
    await this.redis.set(keyOf(challenge), JSON.stringify(issued), 'PX', lifetimeMs);
  }

  override async take(challenge: string) {
    const stored = await this.redis.getdel(keyOf(challenge));
    return stored === null ? undefined : (JSON.parse(stored) as Challenge);
  }
}

const keyOf = (challenge: string) => `passkeys:challenge:${challenge}`;
