import { eventually } from './eventually.js';

/** `nextTick`, `queueMicrotask` and `setImmediate` are those of Node itself, which all modules share. */
const NEVER_FAKED = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate'] as const),
];

type Timers = 'intervals' | 'timers';

/**
 * From now on timers of this process, or its intervals alone, can be hurried; their own pace goes on as well. To be
 * called before a service starts whose rounds are hurried, and followed by `endRounds` after it has stopped.
 */
export function beginRounds(of: Timers = 'timers'): void {
  const timeouts = of === 'intervals' ? (['setTimeout', 'clearTimeout'] as const) : [];
  jest.useFakeTimers({ doNotFake: [...NEVER_FAKED, ...timeouts], advanceTimers: true });
}

export const endRounds = () => void jest.useRealTimers();

/** Rounds of every few seconds go by until `check` passes; one whose look-up fails is followed by the next. */
export const afterRounds = (check: () => void | Promise<void>): Promise<void> =>
  eventually(async () => {
    await jest.advanceTimersByTimeAsync(5_000);
    await check();
  });
