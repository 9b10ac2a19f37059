import { WorkerSeats } from './fair-semaphore.js';

const LONG_MS = 60_000;

describe('seats', () => {
  it('are given at once while there are some, then in the order of the line', async () => {
    const seats = new WorkerSeats(2, 2);
    expect(await Promise.all([seats.take('ann', LONG_MS), seats.take('bob', LONG_MS)])).toEqual([
      true,
      true,
    ]);
    const order: string[] = [];
    const [third, fourth] = ['cy', 'di'].map((name) =>
      seats.take(name, LONG_MS).then((isSeated) => order.push(`${name} ${isSeated}`)),
    );
    seats.leave('ann');
    await third;
    seats.leave('bob');
    await fourth;
    expect(order).toEqual(['cy true', 'di true']);
  });

  it('are refused at once when the line is full', async () => {
    const seats = new WorkerSeats(1, 1);
    await seats.take('ann', LONG_MS);
    const second = seats.take('bob', LONG_MS);
    expect(await seats.take('cy', LONG_MS)).toBe(false);
    seats.leave('ann');
    expect(await second).toBe(true);
  });

  it('go to nobody who gave up', async () => {
    const seats = new WorkerSeats(1, 2);
    await seats.take('ann', LONG_MS);
    const impatient = seats.take('bob', 1);
    const patient = seats.take('cy', LONG_MS);
    expect(await impatient).toBe(false);
    seats.leave('ann');
    expect(await patient).toBe(true);
    seats.leave('cy');
    expect(await seats.take('di', 1)).toBe(true);
  });

  it('are never all one account’s: the last free one is for another', async () => {
    const seats = new WorkerSeats(2, 4);
    await seats.take('ann', LONG_MS);
    const again = seats.take('ann', LONG_MS);
    expect(await seats.take('bob', 1)).toBe(true);
    seats.leave('bob');
    expect(await seats.take('cy', 1)).toBe(true);
    seats.leave('ann');
    expect(await again).toBe(true);
  });

  it('are more than one of an account where enough are free', async () => {
    const seats = new WorkerSeats(4, 4);
    await seats.take('ann', LONG_MS);
    expect(await seats.take('ann', 1)).toBe(true);
    await seats.take('bob', LONG_MS);
    const again = seats.take('bob', LONG_MS);
    seats.leave('ann');
    expect(await again).toBe(true);
  });

  it('serve even one account where there is a single one', async () => {
    const seats = new WorkerSeats(1, 1);
    expect(await seats.take('ann', 1)).toBe(true);
    const again = seats.take('ann', LONG_MS);
    seats.leave('ann');
    expect(await again).toBe(true);
  });
});
