import { setImmediate, setTimeout } from 'node:timers/promises';
import { eventually } from '../testing.js';
import { AccountTurns } from './account-turns.js';

function busy(forMs: number) {
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt);
}

describe('turns of accounts', () => {
  let turns: AccountTurns;
  let done: string[];

  beforeEach(() => {
    turns = new AccountTurns();
    done = [];
  });

  const work = async (account: string, name: string, forMs = 0) => {
    await turns.take(account);
    busy(forMs);
    done.push(name);
  };

  it('come in the order of asking', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => work('ann', name)));
    expect(done).toEqual(names);
  });

  it('leave a turn of the event loop to others between two', async () => {
    const first = work('ann', 'ann 1');
    const second = work('ann', 'ann 2');
    await first;
    expect(done).toEqual(['ann 1']);
    await Promise.all([setImmediate(), second]);
    expect(done).toEqual(['ann 1', 'ann 2']);
  });

  it('have an account wait three times as long as it worked, and no other', async () => {
    const startedAt = performance.now();
    const all = [work('ann', 'ann 1', 40), work('ann', 'ann 2'), work('bob', 'bob')];
    await Promise.all(all);
    expect(done).toEqual(['ann 1', 'bob', 'ann 2']);
    // A timer may be early by a millisecond.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(40 * 4 - 2);
  });

  it('of several accounts leave a turn of the event loop to others after long work', async () => {
    const others = setImmediate().then(() => done.push('other'));
    await Promise.all([work('ann', 'ann', 5), work('bob', 'bob', 5), others]);
    expect(done).toEqual(['ann', 'other', 'bob']);
  });

  it('count work that goes on after promises, until it waits for something', async () => {
    const startedAt = performance.now();
    const first = (async () => {
      await turns.take('ann');
      for (let step = 0; step < 10; step += 1) {
        await Promise.resolve();
        busy(4);
      }
      await setTimeout(1);
    })();
    await Promise.all([first, work('ann', 'next')]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(40 * 4 - 2);
  });

  it('do not wait for the end of work that waits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = (async () => {
      await turns.take('ann');
      await promise;
    })();
    await work('ann', 'next');
    expect(done).toEqual(['next']);
    resolve();
    await slow;
  });

  it('are forgotten when an account has nothing to do', async () => {
    await work('ann', 'only', 5);
    await eventually(() =>
      expect(Reflect.get(Reflect.get(turns, 'turns') as object, 'lines')).toEqual(new Map()),
    );
  });
});
