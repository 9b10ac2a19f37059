import { eventually } from '#libs/platform/testing';
import { WorkerPool } from './worker-pool.js';

/** Longer than a test may take. */
const FOR_EVER_MS = 600_000;

const run = (pool: WorkerPool, code: string, hardLimitMs = FOR_EVER_MS) =>
  pool.run({ code, input: 'null', timeoutMs: FOR_EVER_MS }, hardLimitMs);

describe('WorkerPool', () => {
  let pool: WorkerPool;

  beforeEach(() => {
    pool = new WorkerPool();
  });
  afterEach(() => pool.destroy());

  it('does not hold it against a run that all workers had to go', async () => {
    await run(pool, 'return 1');
    const before = process.cpuUsage();
    const ended = run(pool, 'for (;;);').catch((error: unknown) => error);
    const isRunning = () => expect(process.cpuUsage(before).user).toBeGreaterThan(300_000);
    await eventually(isRunning, 45_000);
    await pool.destroy();
    expect(await ended).toMatchObject({ reason: 'restart', runMs: undefined });
    expect((await run(pool, 'return 2')).ending).toMatchObject({ kind: 'value', json: '2' });
  });

  it('ends a run from outside at its hard limit, and no other', async () => {
    await expect(run(pool, 'for (;;);', 50)).rejects.toMatchObject({
      reason: 'time',
      runMs: expect.any(Number),
    });
    expect((await run(pool, 'return 3')).ending).toMatchObject({ kind: 'value', json: '3' });
  });
});
