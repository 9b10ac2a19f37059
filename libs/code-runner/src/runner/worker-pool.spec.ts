import { eventually } from '../../../../test/support/eventually.js';
import { WorkerPool } from './worker-pool.adapter.js';

const run = (pool: WorkerPool, code: string) =>
  pool.run({ code, input: 'null', timeoutMs: 5_000 }, 5_250);

describe('WorkerPool', () => {
  it('does not hold it against a run that all workers had to go', async () => {
    const pool = new WorkerPool();
    await run(pool, 'return 1');
    const before = process.cpuUsage();
    const ended = run(pool, 'for (;;);').catch((error: unknown) => error);
    await eventually(() => expect(process.cpuUsage(before).user).toBeGreaterThan(300_000));
    await pool.destroy();
    expect(await ended).toMatchObject({ reason: 'restart', runMs: undefined });
    expect((await run(pool, 'return 2')).ending).toEqual({ kind: 'value', json: '2' });
    await pool.destroy();
  });
});
