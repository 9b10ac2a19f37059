import { Logger } from '@nestjs/common';
import { MAX_RUNS_PER_USER } from '../limits/user-run-limit.js';
import { InProcessUserRunLimit } from '../limits/user-run-limit.in-process.js';
import { CodeCancelledError } from '../runner/code-failure.js';
import { type CodeResult, type CodeRun, CodeRunner } from '../runner/code-runner.js';
import { ContentScreener, type ScreeningResult } from '../screening/content-screener.js';
import { billedRunsWith, CountingStore } from './billed-runs.testbed.js';

const RUN = { userId: 'ann', app: 'Robot', code: 'x'.repeat(1_500), input: null, timeoutMs: 1_000 };
const SCREENED = 2;
const RESULT = { value: 1, remarks: '', logs: [], runMs: 35 };

/** Behaves as the spec says once a run has begun. */
class HeldRunner extends CodeRunner {
  begun = Promise.withResolvers<CodeRun>();
  outcome = Promise.withResolvers<CodeResult>();

  override run(run: CodeRun) {
    this.begun.resolve(run);
    return this.outcome.promise;
  }
}

class HeldScreener extends ContentScreener {
  begun = Promise.withResolvers<AbortSignal | undefined>();
  outcome = Promise.withResolvers<ScreeningResult>();

  override screen(_content: object, signal?: AbortSignal) {
    this.begun.resolve(signal);
    return this.outcome.promise;
  }
}

describe('a billed run that is cancelled (contract: Code)', () => {
  let store: CountingStore;
  let runner: HeldRunner;
  let screener: HeldScreener;
  let cancel: AbortController;
  const limit = new InProcessUserRunLimit();
  const begin = () =>
    billedRunsWith({ store, runner, limit, screener })
      .run({ ...RUN, signal: cancel.signal })
      .catch((error: unknown) => error);

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store = new CountingStore();
    runner = new HeldRunner();
    screener = new HeldScreener();
    cancel = new AbortController();
  });
  // All slots of the user are free, however the test ended.
  afterEach(async () => {
    const places = Array.from({ length: MAX_RUNS_PER_USER }, (_, place) => `after ${place}`);
    for (const place of places) expect(await limit.acquire('ann', place, 60_000)).toBe(true);
    for (const place of places) await limit.release('ann', place);
  });

  it('before it came asks for nothing and costs nothing', async () => {
    cancel.abort();
    expect(await begin()).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while it waits for its place leaves, and costs nothing', async () => {
    await limit.acquire('ann', 'one', 60_000);
    await limit.acquire('ann', 'two', 60_000);
    const run = begin();
    cancel.abort();
    expect(await run).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(0);
    await limit.release('ann', 'one');
    await limit.release('ann', 'two');
  });

  it('while its worst case is reserved gets all of it back', async () => {
    const { reserve } = store;
    store.reserve = async (...args) => {
      cancel.abort();
      return reserve.apply(store, args);
    };
    expect(await begin()).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while its screening is charged gets that back too', async () => {
    const { reserve } = store;
    store.reserve = async (...args) => {
      if (store.used > 0) cancel.abort();
      return reserve.apply(store, args);
    };
    expect(await begin()).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while it is screened costs the screening, whether the screener listens or not', async () => {
    const run = begin();
    expect(await screener.begun.promise).toBe(cancel.signal);
    cancel.abort();
    expect(await run).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(SCREENED);
    screener.outcome.reject(new Error('too late'));
  });

  it.each([
    [undefined, 0],
    [0.1, 1],
    [35, 4],
    [9_000, 125],
  ])('after %p ms of its run costs %d credits and the screening', async (runMs, credits) => {
    screener.outcome.resolve('accepted');
    const run = begin();
    expect((await runner.begun.promise).signal).toBe(cancel.signal);
    cancel.abort();
    runner.outcome.reject(new CodeCancelledError(runMs));
    expect(await run).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(SCREENED + credits);
  });

  it('when it has just ended has its result, and costs that once', async () => {
    screener.outcome.resolve('accepted');
    const run = begin();
    await runner.begun.promise;
    runner.outcome.resolve(RESULT);
    cancel.abort();
    expect(await run).toMatchObject({ value: 1, creditsUsed: SCREENED + 4 });
    expect(store.used).toBe(SCREENED + 4);
  });

  it('keeps its reservation where that cannot be given back, as any other', async () => {
    screener.outcome.resolve('accepted');
    store.giveBack = () => Promise.reject(new Error('down'));
    const run = begin();
    await runner.begun.promise;
    runner.outcome.reject(new CodeCancelledError(35));
    expect(await run).toMatchObject({ name: 'RunCancelledError' });
    expect(store.used).toBe(SCREENED + 125);
  });
});
