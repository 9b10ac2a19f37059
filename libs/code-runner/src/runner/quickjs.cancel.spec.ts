import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { eventually } from '#libs/platform/testing';
import type { CodeCancelledError } from './code-runner.js';
import { QuickJsCodeRunner } from './quickjs.js';
import { WORKERS } from './worker-pool.js';

const FOR_EVER = 'for (;;);';
/** One call of a built-in that never checks whether time is up. */
const DEAF = 'const a = [1]; a.length = 2 ** 32 - 1; a.indexOf(5)';

describe('a run whose caller cancelled', () => {
  const runner = new QuickJsCodeRunner();
  const begin = (code: string, signal?: AbortSignal, userId = 'ann') =>
    runner.run({ userId, code, input: null, timeoutMs: 5_000, signal });
  const ended = async (run: Promise<unknown>) => {
    const error = await run.then(
      () => new Error('it ended well'),
      (thrown: CodeCancelledError) => thrown,
    );
    return error as CodeCancelledError;
  };

  /** Waits until the code has used the processor for longer than a worker takes to start. */
  const untilBusy = (before = process.cpuUsage()) =>
    eventually(() => expect(process.cpuUsage(before).user).toBeGreaterThan(400_000));
  const untilIdle = () =>
    eventually(async () => {
      const before = process.cpuUsage();
      await sleep(100);
      expect(process.cpuUsage(before).user).toBeLessThan(50_000);
    });

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => runner.onModuleDestroy());

  it.each([FOR_EVER, DEAF, 'for (;;) await 0'])('ends, with its worker: %s', async (code) => {
    expect((await begin('1')).value).toBe(1);
    const cancel = new AbortController();
    const run = ended(begin(code, cancel.signal));
    await untilBusy();
    cancel.abort();
    const error = await run;
    expect(error.name).toBe('CodeCancelledError');
    expect(error.runMs).toBeGreaterThan(0);
    await untilIdle();
    expect((await begin('2')).value).toBe(2);
  });

  it('does not end the others that run', async () => {
    const cancel = new AbortController();
    const long = 'const end = Date.now() + 1500; while (Date.now() < end); "whole"';
    const other = begin(long, new AbortController().signal, 'bob');
    const run = ended(begin(FOR_EVER, cancel.signal));
    await untilBusy();
    cancel.abort();
    await run;
    expect((await other).value).toBe('whole');
  });

  it('does not begin when that was before it got a worker', async () => {
    const done = new AbortController();
    done.abort();
    expect(await ended(begin('1', done.signal))).toMatchObject({ runMs: undefined });

    const cancel = new AbortController();
    const waits = new AbortController();
    const running = Array.from({ length: WORKERS }, (_, n) =>
      ended(begin(FOR_EVER, cancel.signal, `user ${n}`)),
    );
    const waiting = ended(begin('1', waits.signal));
    waits.abort();
    expect(await waiting).toMatchObject({ name: 'CodeCancelledError', runMs: undefined });
    cancel.abort();
    await Promise.all(running);
  });

  it('has its result when it ended before', async () => {
    const cancel = new AbortController();
    const result = await begin('3', cancel.signal);
    cancel.abort();
    expect(result.value).toBe(3);
  });

  it('leaves nothing, 100 times and at any moment', async () => {
    for (let round = 0; round < 100; round += 1) {
      const cancel = new AbortController();
      const run = ended(begin(FOR_EVER, cancel.signal));
      if (round % 10 > 0) await sleep(round);
      cancel.abort();
      expect((await run).name).toBe('CodeCancelledError');
    }
    await untilIdle();
    const all = Array.from({ length: WORKERS }, (_, n) => begin(`${n}`, undefined, `user ${n}`));
    expect((await Promise.all(all)).map(({ value }) => value)).toEqual(all.map((_, n) => n));
  });

  it('does not end others that began together with many that are cancelled together', async () => {
    const cancel = new AbortController();
    const all = Array.from({ length: 4 * WORKERS }, (_, n) =>
      n % 2 === 0
        ? begin(FOR_EVER, cancel.signal, `user ${n}`)
        : begin(`${n}`, undefined, `user ${n}`),
    );
    const runs = Promise.allSettled(all);
    await untilBusy();
    cancel.abort();
    const outcomes = (await runs).map((run) =>
      run.status === 'fulfilled' ? run.value.value : (run.reason as Error).name,
    );
    for (const [n, outcome] of outcomes.entries()) {
      // On a busy machine a run may have waited too long for a worker and not begun.
      expect(n % 2 === 0 ? ['CodeCancelledError'] : [n, 'CodeBusyError']).toContain(outcome);
    }
  });
});
