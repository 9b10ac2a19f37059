import type { RateLimiter } from '#libs/platform';

/** How much one visitor may store by registering clients, per window; the first registration begins it. */
export interface RegistrationAllowance {
  readonly bytes: number;
  readonly periodMs: number;
}

const REGISTRATION_ALLOWANCE = { bytes: 5 * 1024 * 1024, periodMs: 24 * 60 * 60 * 1000 };

/**
 * The bytes that visitors may still store by registering clients. Spending is atomic: of concurrent calls,
 * on any replica, as many succeed as fit, and a call that fails spends nothing. While its store is
 * unavailable each replica counts by itself, so no method rejects because of an outage.
 */
export abstract class RegistrationBudget {
  static readonly portOf = 'oauth';

  /** Spends bytes of a visitor and returns 0; if they do not fit, returns the milliseconds until they do. */
  abstract spend(visitor: string, bytes: number): Promise<number>;
}

export class CountedRegistrationBudget extends RegistrationBudget {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly allowance: RegistrationAllowance = REGISTRATION_ALLOWANCE,
  ) {
    super();
  }

  override async spend(visitor: string, bytes: number) {
    const { bytes: limit, periodMs } = this.allowance;
    const window = { key: visitor, limit, periodMs };
    const { passes, remainingMs } = await this.limiter.take([window], bytes);
    return passes ? 0 : Math.max(1, Math.ceil(remainingMs));
  }
}
