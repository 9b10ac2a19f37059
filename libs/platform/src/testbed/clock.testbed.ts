const RightDate = Date;
let aheadMs = 0;
const now = () => RightDate.now() + aheadMs;

const ShiftedDate = new Proxy(RightDate, {
  construct: (target, fields: [], newTarget) =>
    Reflect.construct(target, fields.length === 0 ? [now()] : fields, newTarget),
  apply: () => new RightDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

/**
 * Advances the clock of this process, and with it `now` in statements on SQLite, so that lifetimes end without a
 * wait: sessions, codes, tokens, consents, challenges. Timers and `performance.now()` are unaffected. On Postgres and
 * Redis the server's clock decides, so a spec that advances the clock needs embedded storage. Call `restoreClock` in
 * `afterEach`.
 */
export function advanceClock(ms: number): void {
  aheadMs += ms;
  globalThis.Date = ShiftedDate;
}

/** Advances `performance.now()`, for what a change of the machine's clock must not move. `restoreClock` undoes it. */
export function advanceMonotonicClock(ms: number): void {
  const before = performance.now.bind(performance);
  const value = () => before() + ms;
  Object.defineProperty(performance, 'now', { value, configurable: true });
}

/** Restores the clocks of this process. */
export function restoreClock(): void {
  aheadMs = 0;
  Reflect.deleteProperty(performance, 'now');
  globalThis.Date = RightDate;
}

const ALL_BUT_INTERVALS = [
  ...(['hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

/** From now on intervals run when a test advances them; with `at` the date stands at that time as well. */
export const fakeIntervals = (at?: number) =>
  jest.useFakeTimers(
    at === undefined
      ? { doNotFake: [...ALL_BUT_INTERVALS, 'Date'] }
      : { doNotFake: ALL_BUT_INTERVALS, now: at },
  );

/** From now on the date stands at this time, until a test sets another one; timers go on. */
export const fakeDate = (at: number) =>
  jest.useFakeTimers({
    doNotFake: [...ALL_BUT_INTERVALS, 'setInterval', 'clearInterval'],
    now: at,
  });
