import { Logger } from '@nestjs/common';
import { REFUSED_TEXT } from '../screening/screened-texts.testbed.js';
import { CodeBusyError, CodeThrewError } from '../runner/code-failure.js';
import { CodeRunner } from '../runner/code-runner.js';
import { MAX_RUNS_PER_USER } from '../limits/user-run-limit.js';
import { InProcessUserRunLimit } from '../limits/user-run-limit.in-process.js';
import { billedRunsWith, CountingStore, LIMIT } from './billed-runs.testbed.js';

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
  ])('that ends with %s says what it cost, and costs that', async (failure, said, cost) => {
    runner.failure = failure;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject(said);
    expect(store.used).toBe(cost);
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
