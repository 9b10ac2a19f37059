import { Logger } from '@nestjs/common';
import { assert, double, integer, property } from 'fast-check';
import { CountingStore } from '#libs/budget/testing';
import { RequestWork, underWork } from '#libs/platform';
import { InProcessUserRunLimit, MAX_RUNS_PER_USER } from '../limits/user-run-limit.js';
import {
  CodeBusyError,
  CodeCancelledError,
  type CodeResult,
  type CodeRun,
  CodeRunner,
  CodeThrewError,
  HARD_MARGIN_MS,
  MAX_TIMEOUT_MS,
} from '../runner/code-runner.js';
import { ContentScreener, type ScreeningResult } from '../screening/content-screener.js';
import { REFUSED_TEXT } from '../screening/screened-texts.testbed.js';
import { affordableTimeoutMs, codePrice, highestPrice } from './billed-runs.service.js';
import { billedRunsWith, LIMIT } from './billed-runs.testbed.js';

describe('the price of code', () => {
  it.each([
    [0, 1],
    [0.2, 1],
    [10, 1],
    [10.01, 2],
    [999.9, 100],
    [1_000, 100],
  ])('of %d ms is %d credits', (runMs, credits) => {
    expect(codePrice(runMs)).toBe(credits);
  });

  it.each([
    [1, 26],
    [1_000, 125],
    [5_000, 525],
  ])('with a timeout of %d ms is at most %d credits', (timeoutMs, credits) => {
    expect(highestPrice(timeoutMs)).toBe(credits);
  });

  it('covers everything up to the hard end of a run', () => {
    const timeout = integer({ min: 1, max: MAX_TIMEOUT_MS });
    const shareOfTime = double({ min: 0, max: 1, noNaN: true });
    assert(
      property(timeout, shareOfTime, (timeoutMs, share) => {
        const runMs = share * (timeoutMs + HARD_MARGIN_MS);
        expect(codePrice(runMs)).toBeLessThanOrEqual(highestPrice(timeoutMs));
      }),
    );
  });

  it('names the longest timeout that credits cover', () => {
    assert(
      property(integer({ min: 0, max: 1_000 }), (credits) => {
        const timeoutMs = affordableTimeoutMs(credits);
        const isCovered = timeoutMs === 0 || highestPrice(timeoutMs) <= credits;
        expect(isCovered).toBe(true);
        expect(highestPrice(timeoutMs + 1)).toBeGreaterThan(credits);
      }),
    );
  });
});

class FailingRunner extends CodeRunner {
  failure = new Error();

  override run() {
    return Promise.reject(this.failure);
  }
}

const RUN = { userId: 'ann', app: 'Robot', code: 'return 1', input: null, timeoutMs: 1_000 };

describe('a billed run', () => {
  const store = new CountingStore();
  const runner = new FailingRunner();
  const limit = new InProcessUserRunLimit();
  const billedRuns = billedRunsWith({ store, runner, limit });

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store.used = 0;
    runner.failure = new Error('no connection');
  });
  // The user's next run may begin, however the test ended.
  afterEach(async () => {
    for (let going = 0; going < MAX_RUNS_PER_USER; going += 1) {
      expect(await limit.acquire(RUN.userId, `run ${going}`, 60_000)).toBe(true);
    }
    for (let going = 0; going < MAX_RUNS_PER_USER; going += 1) {
      await limit.release(RUN.userId, `run ${going}`);
    }
  });

  it.each([
    [new CodeThrewError('it threw 1', 35), { name: 'FailedRunError', creditsUsed: 5 }, 5],
    [new CodeBusyError('busy'), { name: 'UnstartedRunError', message: 'busy', creditsUsed: 1 }, 1],
    [new Error('no connection'), { message: 'no connection' }, 1],
  ])('that ends with %s reports and charges what it cost', async (failure, said, cost) => {
    runner.failure = failure;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject(said);
    expect(store.used).toBe(cost);
  });

  it('is no work of its request until it ends', async () => {
    let atWork = 0;
    const run = underWork(new RequestWork((change) => (atWork += change)), () =>
      billedRuns.run(RUN),
    );
    expect(atWork).toBe(0);
    await expect(run).rejects.toThrow('no connection');
    expect(atWork).toBe(1);
  });

  it('that is refused by the screening costs the screening alone', async () => {
    const refused = billedRuns.run({ ...RUN, code: REFUSED_TEXT });
    await expect(refused).rejects.toMatchObject({ name: 'ScreeningError' });
    expect(store.used).toBe(1);
  });

  it('that the budget does not cover costs nothing', async () => {
    store.used = LIMIT - 100;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject({
      name: 'BudgetExhaustedError',
      amount: 125,
      left: 100,
    });
    expect(store.used).toBe(LIMIT - 100);
  });

  it('whose budget cannot be charged does not begin', async () => {
    store.isDown = true;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject({ name: 'RunsUnavailableError' });
    store.isDown = false;
  });
});

const LONG_RUN = {
  userId: 'ann',
  app: 'Robot',
  code: 'x'.repeat(1_500),
  input: null,
  timeoutMs: 1_000,
};
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
      .run({ ...LONG_RUN, signal: cancel.signal })
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
    expect(await begin()).toMatchObject({ name: 'CodeCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while it waits for its place leaves, and costs nothing', async () => {
    await limit.acquire('ann', 'one', 60_000);
    await limit.acquire('ann', 'two', 60_000);
    const run = begin();
    cancel.abort();
    expect(await run).toMatchObject({ name: 'CodeCancelledError' });
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
    expect(await begin()).toMatchObject({ name: 'CodeCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while its screening is charged gets that back too', async () => {
    const { reserve } = store;
    store.reserve = async (...args) => {
      if (store.used > 0) cancel.abort();
      return reserve.apply(store, args);
    };
    expect(await begin()).toMatchObject({ name: 'CodeCancelledError' });
    expect(store.used).toBe(0);
  });

  it('while it is screened costs the screening, whether the screener listens or not', async () => {
    const run = begin();
    expect(await screener.begun.promise).toBe(cancel.signal);
    cancel.abort();
    expect(await run).toMatchObject({ name: 'CodeCancelledError' });
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
    expect(await run).toMatchObject({ name: 'CodeCancelledError' });
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
    expect(await run).toMatchObject({ name: 'CodeCancelledError' });
    expect(store.used).toBe(SCREENED + 125);
  });
});
