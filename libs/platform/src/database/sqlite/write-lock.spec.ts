import {
  WriteLock,
  WriteLockTimeoutError,
  writeLockOf,
  type Release,
} from './sqlite.transaction.js';

const LONG_MS = 60_000;

describe('WriteLock', () => {
  it('is held by one at a time, in the order it was asked for', async () => {
    const lock = new WriteLock();
    const order: number[] = [];
    let holders = 0;
    const hold = async (n: number) => {
      const release = await lock.acquire(LONG_MS);
      holders += 1;
      expect(holders).toBe(1);
      await Promise.resolve();
      order.push(n);
      holders -= 1;
      release();
    };

    const numbers = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(numbers.map(hold));

    expect(order).toEqual(numbers);
  });

  it('is not waited for longer than was said, and the line goes on without those who left', async () => {
    const lock = new WriteLock();
    const releaseFirst = await lock.acquire(LONG_MS);
    const impatient = lock.acquire(1);
    const patient = lock.acquire(LONG_MS);

    await expect(impatient).rejects.toThrow(WriteLockTimeoutError);
    await expect(impatient).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    releaseFirst();

    const releasePatient = await patient;
    releasePatient();
  });

  it('is released once, however often that is asked', async () => {
    const lock = new WriteLock();
    const releaseFirst = await lock.acquire(LONG_MS);
    const second = lock.acquire(LONG_MS);
    releaseFirst();
    const releaseSecond: Release = await second;
    releaseFirst();

    await expect(lock.acquire(1)).rejects.toThrow(WriteLockTimeoutError);
    releaseSecond();
    const releaseThird = await lock.acquire(1);
    releaseThird();
  });

  it('of one file is the same for everyone', () => {
    expect(writeLockOf('/a')).toBe(writeLockOf('/a'));
    expect(writeLockOf('/a')).not.toBe(writeLockOf('/b'));
  });
});
