import { Logger } from '@nestjs/common';
import { MAX_WAITING_PER_WORKER, QuickJsCodeRunner } from './quickjs.js';
import { WORKERS } from './worker-pool.js';

const forEver = async (
  runner: QuickJsCodeRunner,
  timeoutMs: number,
  userId = 'ann',
): Promise<Error> => {
  try {
    await runner.run({ userId, code: 'for (;;);', input: null, timeoutMs });
  } catch (error) {
    return error as Error;
  }
  throw new Error('it ended well');
};

describe('the life of workers', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('runs as many at once as there are cores, lets some wait and refuses the rest as busy', async () => {
    const runner = new QuickJsCodeRunner();
    const all = Array.from({ length: WORKERS * (2 + MAX_WAITING_PER_WORKER) }, (_, n) =>
      forEver(runner, 1_000, `user ${n}`),
    );
    const names = (await Promise.all(all)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['CodeTimeUpError', 'CodeBusyError']));
    const ran = names.filter((name) => name === 'CodeTimeUpError').length;
    expect(ran).toBeGreaterThanOrEqual(WORKERS);
    expect(ran).toBeLessThanOrEqual(WORKERS * 4);
    await runner.onModuleDestroy();
  });

  it('ends what runs and refuses what comes when the server stops', async () => {
    const runner = new QuickJsCodeRunner();
    const running = [forEver(runner, 5_000), forEver(runner, 5_000), forEver(runner, 5_000)];
    const first = Promise.race(running);
    await runner.onModuleDestroy();
    expect((await first).message).toBe('the server is stopping');
    expect((await forEver(runner, 10)).name).toBe('CodeBusyError');
    expect((await Promise.all(running)).map(({ name }) => name)).toEqual(
      running.map(() => 'CodeBusyError'),
    );
  });

  it('ends at once when nothing ever ran', async () => {
    await expect(new QuickJsCodeRunner().onModuleDestroy()).resolves.toBeUndefined();
  });
});
