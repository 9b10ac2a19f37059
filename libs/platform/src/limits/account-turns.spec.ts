import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { eventually } from '../testing.js';
import { RequestWork, underWork, whileWaiting } from '../request-context.js';
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

  it('are as many as work on many things takes, with others in between', async () => {
    const of = (account: string) =>
      turns.map(account, [1, 2, 3], (n) => {
        busy(3);
        done.push(account);
        return n * 2;
      });
    expect(await Promise.all([of('ann'), of('bob'), turns.map('cid', [], busy)])).toEqual([
      [2, 4, 6],
      [2, 4, 6],
      [],
    ]);
    expect(done.indexOf('bob')).toBeLessThan(done.lastIndexOf('ann'));
  });

  it('of several accounts leave a turn of the event loop to others after long work', async () => {
    const others = setImmediate().then(() => done.push('other'));
    await Promise.all([work('ann', 'ann', 5), work('bob', 'bob', 5), others]);
    expect(done).toEqual(['ann', 'other', 'bob']);
  });

  it('of several accounts leave as much time to others as work of more than 5 ms took', async () => {
    const first = work('ann', 'ann', 40);
    const next = work('bob', 'bob');
    await first;
    await Promise.all([next, setTimeout(20).then(() => done.push('other'))]);
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

  it('come first to the accounts that worked least lately', async () => {
    await work('ann', 'ann', 40);
    await turns.take('ann');
    await Promise.all([work('cy', 'cy', 10), work('ann', 'ann again'), work('bob', 'bob')]);
    expect(done).toEqual(['ann', 'cy', 'bob', 'ann again']);
  });

  it('are forgotten when an account has nothing to do', async () => {
    await work('ann', 'only', 5);
    await eventually(() =>
      expect(Reflect.get(Reflect.get(turns, 'turns') as object, 'lines')).toEqual(new Map()),
    );
  });
});

describe('the beginning of requests of an account', () => {
  let turns: AccountTurns;
  let begun: string[];
  let refused: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    [turns, begun, refused] = [new AccountTurns(), [], []];
  });
  afterEach(() => jest.useRealTimers());

  function begin(name: string, account = 'ann', id = account, by: 'session' | 'app' = 'app') {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const turn = turns.begin({ by, id, account }, response);
    void turn.then((isTurn) => (isTurn ? begun : refused).push(name));
    const leave = () => response.destroy().emit('close');
    return { leave, end: () => response.end() && leave() };
  }
  const beginAll = (...names: string[]) => names.map((name) => begin(name));
  const settled = () => jest.advanceTimersByTimeAsync(0);
  const kept = () => {
    const { app } = Reflect.get(turns, 'beginnings') as Record<string, object>;
    const semaphores = Object.values(app ?? {}) as object[];
    return semaphores.map((each) => (Reflect.get(each, 'lines') as Map<string, unknown>).size);
  };

  it('is of four at a time; the others begin when one ends, in the order of coming', async () => {
    const all = beginAll('a', 'b', 'c', 'd', 'e', 'f');
    begin('other', 'bob');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'other']);
    all[2]?.end();
    all[2]?.end();
    await settled();
    expect(begun.slice(5)).toEqual(['e']);
  });

  it('goes on when one takes long, also one whose client is gone', async () => {
    const [gone] = beginAll('a', 'b', 'c', 'd', 'e');
    await settled();
    gone?.leave();
    await jest.advanceTimersByTimeAsync(249);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await jest.advanceTimersByTimeAsync(20);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('goes on soon when one waits for another party', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const work = new RequestWork(() => undefined);
    underWork(work, () => [begin('waits'), whileWaiting(() => answer)]);
    beginAll('b', 'c', 'd', 'e');
    await settled();
    expect(begun).toEqual(['waits', 'b', 'c', 'd']);
    await jest.advanceTimersByTimeAsync(20);
    expect(begun).toContain('e');
    resolve();
  });

  it('goes on soon when one is done whose client is gone', async () => {
    const work = new RequestWork(() => undefined);
    const gone = underWork(work, () => begin('gone'));
    beginAll('b', 'c', 'd', 'e');
    await settled();
    gone.leave();
    work.end();
    await jest.advanceTimersByTimeAsync(20);
    expect(begun).toContain('e');
  });

  it('is no work any more for one whose client went before its turn', async () => {
    const count = jest.fn<void, [number]>();
    beginAll('a', 'b', 'c', 'd');
    const gone = underWork(new RequestWork(count), () => begin('gone'));
    await settled();
    gone.leave();
    await settled();
    expect(count.mock.calls.reduce((sum, [change]) => sum + change, 0)).toBe(0);
  });

  it('passes over one that ended before its turn', async () => {
    const all = beginAll('a', 'b', 'c', 'd', 'e', 'f');
    all[4]?.leave();
    all[0]?.end();
    await settled();
    expect([begun, refused]).toEqual([['a', 'b', 'c', 'd', 'f'], []]);
  });

  it('is refused where 128 of an app wait; one that ends makes room, and other accounts have theirs', async () => {
    const all = Array.from({ length: 4 + 128 }, (_, n) => begin(`${n}`));
    beginAll('too many');
    begin('other', 'bob');
    await settled();
    expect([begun.at(-1), refused]).toEqual(['other', []]);
    all[100]?.leave();
    beginAll('in its place', 'too many again');
    await jest.advanceTimersByTimeAsync(249);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(['too many', 'too many again']);
    await jest.advanceTimersByTimeAsync(270 * 40);
    expect(begun.at(-1)).toBe('in its place');
  });

  it.each([
    ['app', 128],
    ['session', 32],
  ] as const)('is of each %s in turn, whatever waits of another one', async (by, waiting) => {
    for (let n = 0; n < 4 + waiting + 1; n += 1) begin('flood', 'ann', 'one', by);
    begin('other', 'ann', 'other', by);
    await settled();
    expect(begun).not.toContain('other');
    await jest.advanceTimersByTimeAsync(270);
    expect(begun).toContain('other');
    expect(refused).toEqual(['flood']);
  });

  it('of a session waits for no app', async () => {
    for (let app = 0; app < 10; app += 1) begin('of an app', 'ann', `${app}`);
    begin('of the owner', 'ann', 'session', 'session');
    await settled();
    expect(begun.filter((name) => name === 'of an app')).toHaveLength(4);
    expect(begun).toContain('of the owner');
  });

  it('is never of more, whatever ended late, and nothing is kept of accounts that are gone', async () => {
    const slow = beginAll('a', 'b', 'c', 'd');
    await jest.advanceTimersByTimeAsync(270);
    expect(kept()).toEqual([0, 0]);
    const next = beginAll('e', 'f', 'g', 'h', 'i');
    for (const each of slow) each.end();
    next.push(begin('j'));
    await settled();
    expect(begun.slice(4)).toEqual(['e', 'f', 'g', 'h']);
    for (const each of next) each.end();
    await settled();
    expect(kept()).toEqual([0, 0]);
  });
});
