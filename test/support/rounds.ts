import { eventually } from '#libs/platform/testing';

/** `nextTick`, `queueMicrotask` and `setImmediate` belong to Node and are shared by all modules. */
const NEVER_FAKED = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate'] as const),
];

type Timers = 'intervals' | 'timers';

/**
 * From now on the timers of this process, or only its intervals, can be advanced; they also run at their own pace.
 * Call this before the service starts whose timers are advanced, and `endRounds` after it has stopped.
 */
export function beginRounds(of: Timers = 'timers'): void {
  const timeouts = of === 'intervals' ? (['setTimeout', 'clearTimeout'] as const) : [];
  jest.useFakeTimers({ doNotFake: [...NEVER_FAKED, ...timeouts], advanceTimers: true });
}

export const endRounds = () => void jest.useRealTimers();

/** Advances periodic work until `check` passes; when one round fails, the next one follows. */
export const afterRounds = (check: () => void | Promise<void>): Promise<void> =>
  eventually(async () => {
    await jest.advanceTimersByTimeAsync(5_000);
    await check();
  });
