import { FairSemaphore } from './fair-semaphore.js';

const LONG_MS = 60_000;

describe('FairSemaphore', () => {
  it('gives permits at once while there are some, then in the order of asking', async () => {
    const semaphore = new FairSemaphore(2, 2);
    expect(
      await Promise.all([semaphore.acquire('ann', LONG_MS), semaphore.acquire('bob', LONG_MS)]),
    ).toEqual([true, true]);
    const order: string[] = [];
    const [third, fourth] = ['cy', 'di'].map((name) =>
      semaphore.acquire(name, LONG_MS).then((isAcquired) => order.push(`${name} ${isAcquired}`)),
    );
    semaphore.release('ann');
    await third;
    semaphore.release('bob');
    await fourth;
    expect(order).toEqual(['cy true', 'di true']);
  });

  it('refuses at once when too many wait', async () => {
    const semaphore = new FairSemaphore(1, 1);
    await semaphore.acquire('ann', LONG_MS);
    const second = semaphore.acquire('bob', LONG_MS);
    expect(await semaphore.acquire('cy', LONG_MS)).toBe(false);
    semaphore.release('ann');
    expect(await second).toBe(true);
  });

  it('gives nothing to who gave up', async () => {
    const semaphore = new FairSemaphore(1, 2);
    await semaphore.acquire('ann', LONG_MS);
    const impatient = semaphore.acquire('bob', 1);
    const patient = semaphore.acquire('cy', LONG_MS);
    expect(await impatient).toBe(false);
    semaphore.release('ann');
    expect(await patient).toBe(true);
    semaphore.release('cy');
    expect(await semaphore.acquire('di', 1)).toBe(true);
  });

  it('gives nothing to who was cancelled, before or while waiting', async () => {
    const semaphore = new FairSemaphore(1, 1);
    const cancel = new AbortController();
    await semaphore.acquire('ann', LONG_MS);
    const waiting = semaphore.acquire('bob', LONG_MS, cancel.signal);
    cancel.abort();
    expect(await waiting).toBe(false);
    semaphore.release('ann');
    expect(await semaphore.acquire('bob', LONG_MS, cancel.signal)).toBe(false);
    expect(await semaphore.acquire('cy', LONG_MS)).toBe(true);
  });

  it('never gives all to one user: the last free permit is for another', async () => {
    const semaphore = new FairSemaphore(2, 4);
    await semaphore.acquire('ann', LONG_MS);
    const again = semaphore.acquire('ann', LONG_MS);
    expect(await semaphore.acquire('bob', 1)).toBe(true);
    semaphore.release('bob');
    expect(await semaphore.acquire('cy', 1)).toBe(true);
    semaphore.release('ann');
    expect(await again).toBe(true);
  });

  it('gives a user more than one where enough are free', async () => {
    const semaphore = new FairSemaphore(4, 4);
    await semaphore.acquire('ann', LONG_MS);
    expect(await semaphore.acquire('ann', 1)).toBe(true);
    await semaphore.acquire('bob', LONG_MS);
    const again = semaphore.acquire('bob', LONG_MS);
    semaphore.release('ann');
    expect(await again).toBe(true);
  });

  it('serves even one user where there is a single permit', async () => {
    const semaphore = new FairSemaphore(1, 1);
    expect(await semaphore.acquire('ann', 1)).toBe(true);
    const again = semaphore.acquire('ann', LONG_MS);
    semaphore.release('ann');
    expect(await again).toBe(true);
  });
});
