import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../../../test/support/eventually.js';
import { Dependency } from './dependency.js';

const HASTY = { patienceMs: 20, freshMs: 0 };

describe('Dependency', () => {
  it('is up when the probe resolves, down when it rejects or throws', async () => {
    const up = new Dependency('a', async () => 1);
    const down = new Dependency('b', async () => Promise.reject(new Error('gone')));
    const broken = new Dependency('c', () => {
      throw new Error('broken');
    });
    const healths = await Promise.all([up, down, broken].map((one) => one.check()));
    expect(healths.map(({ status }) => status)).toEqual(['up', 'down', 'down']);
    expect(healths[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('is probed once however many ask', async () => {
    let probes = 0;
    const probe = async () => {
      probes += 1;
      await sleep(5);
    };
    const limits = { patienceMs: 10_000, freshMs: 60_000 };
    const dependency = new Dependency('a', probe, limits);
    await Promise.all(Array.from({ length: 50 }, () => dependency.check()));
    await dependency.check();
    expect(probes).toBe(1);
  });

  it('is down when the probe hangs, is not probed again meanwhile, and recovers', async () => {
    let probes = 0;
    let answer = () => {};
    const probe = () => {
      probes += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    };
    const dependency = new Dependency('a', probe, HASTY);
    expect((await dependency.check()).status).toBe('down');
    expect((await dependency.check()).status).toBe('down');
    expect(probes).toBe(1);
    const recovery = eventually(async () =>
      expect(await dependency.check()).toMatchObject({ status: 'up' }),
    );
    const answering = setInterval(() => answer(), 1);
    await recovery;
    clearInterval(answering);
  });
});
