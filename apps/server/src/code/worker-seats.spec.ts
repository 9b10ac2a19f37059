import { WorkerSeats } from './worker-seats.js';

const LONG_MS = 60_000;

describe('seats', () => {
  it('are given at once while there are some, then in the order of the line', async () => {
    const seats = new WorkerSeats(2, 2);
    expect(await Promise.all([seats.take(LONG_MS), seats.take(LONG_MS)])).toEqual([true, true]);
    const order: string[] = [];
    const [third, fourth] = ['third', 'fourth'].map((name) =>
      seats.take(LONG_MS).then((isSeated) => order.push(`${name} ${isSeated}`)),
    );
    seats.leave();
    await third;
    seats.leave();
    await fourth;
    expect(order).toEqual(['third true', 'fourth true']);
  });

  it('are refused at once when the line is full', async () => {
    const seats = new WorkerSeats(1, 1);
    await seats.take(LONG_MS);
    const second = seats.take(LONG_MS);
    expect(await seats.take(LONG_MS)).toBe(false);
    seats.leave();
    expect(await second).toBe(true);
  });

  it('go to nobody who gave up', async () => {
    const seats = new WorkerSeats(1, 2);
    await seats.take(LONG_MS);
    const impatient = seats.take(1);
    const patient = seats.take(LONG_MS);
    expect(await impatient).toBe(false);
    seats.leave();
    expect(await patient).toBe(true);
    seats.leave();
    expect(await seats.take(1)).toBe(true);
  });
});
