import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from '#libs/load';
import {
  REGISTRATION_ALLOWANCE,
  type RegistrationAllowance,
  RegistrationBudget,
} from './registration-budget.js';

/**
 * Counts in this process, at most `maxVisitors` of them: beyond that the oldest window is forgotten.
 * Time is the process's own: setting the machine's clock opens no window and closes none.
 */
export class InProcessRegistrationBudget extends RegistrationBudget {
  private readonly windows: LRUCache<string, { spent: number }>;

  constructor(
    private readonly allowance: RegistrationAllowance = REGISTRATION_ALLOWANCE,
    maxVisitors = 100_000,
  ) {
    super();
    this.windows = new LRUCache({
      ...roomAsNeeded(maxVisitors),
      ttl: allowance.periodMs,
      ttlResolution: 0,
    });
  }

  override async spend(visitor: string, bytes: number) {
    // Not `get`: being used must not make a window younger.
    const window = this.windows.peek(visitor) ?? this.open(visitor);
    if (window.spent + bytes > this.allowance.bytes) {
      return Math.max(1, Math.ceil(this.windows.getRemainingTTL(visitor)));
    }
    window.spent += bytes;
    return 0;
  }

  private open(visitor: string) {
    const window = { spent: 0 };
    this.windows.set(visitor, window);
    return window;
  }
}
