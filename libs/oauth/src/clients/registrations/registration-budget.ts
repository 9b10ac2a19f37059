import type { RateLimiter } from '#libs/platform';

/** What one visitor may have stored by registering clients, in windows that begin with the first one. */
export interface RegistrationAllowance {
  readonly bytes: number;
  readonly periodMs: number;
}

export const REGISTRATION_ALLOWANCE: RegistrationAllowance = {
  bytes: 5 * 1024 * 1024,
  periodMs: 24 * 60 * 60 * 1000,
};

/**
 * The bytes that visitors may still have stored by registering. Nobody spends the same bytes twice: of
 * concurrent calls, on any replica, as many succeed as fit, and one that fails spends nothing. While
 * its store is out of service each replica counts by itself, so no method rejects on that account.
 */
export abstract class RegistrationBudget {
  static readonly portOf = 'oauth';

  /** Spends bytes of a visitor and gives 0; when they do not fit, the milliseconds until they will. */
  abstract spend(visitor: string, bytes: number): Promise<number>;
}

/** Counts them in a window of each visitor. */
export class CountedRegistrationBudget extends RegistrationBudget {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly allowance = REGISTRATION_ALLOWANCE,
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
