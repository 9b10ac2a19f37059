import { TurnTimeoutError, Turns, turnsOf, type EndTurn } from './write-lock.js';

const LONG_MS = 60_000;

describe('turns', () => {
  it('are given one at a time, in the order they were asked for', async () => {
    const turns = new Turns();
    const order: number[] = [];
    let holders = 0;
    const take = async (n: number) => {
      const end = await turns.take(LONG_MS);
      holders += 1;
      expect(holders).toBe(1);
      await Promise.resolve();
      order.push(n);
      holders -= 1;
      end();
    };

    const numbers = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(numbers.map(take));

    expect(order).toEqual(numbers);
  });

  it('are not waited for longer than was said, and the line goes on without those who left', async () => {
    const turns = new Turns();
    const endFirst = await turns.take(LONG_MS);
    const impatient = turns.take(1);
    const patient = turns.take(LONG_MS);

    await expect(impatient).rejects.toThrow(TurnTimeoutError);
    await expect(impatient).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    endFirst();

    const endPatient = await patient;
    endPatient();
  });

  it('end once, however often they are ended', async () => {
    const turns = new Turns();
    const endFirst = await turns.take(LONG_MS);
    const second = turns.take(LONG_MS);
    endFirst();
    const endSecond: EndTurn = await second;
    endFirst();

    await expect(turns.take(1)).rejects.toThrow(TurnTimeoutError);
    endSecond();
    const endThird = await turns.take(1);
    endThird();
  });

  it('of one file are the same for everyone', () => {
    expect(turnsOf('/a')).toBe(turnsOf('/a'));
    expect(turnsOf('/a')).not.toBe(turnsOf('/b'));
  });
});
