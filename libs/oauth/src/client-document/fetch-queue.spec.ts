import { type FetchLimits, FetchQueue } from './fetch-queue.js';

const LIMITS: FetchLimits = {
  atOnce: 4,
  atOncePerVisitor: 2,
  atOncePerHost: 10,
  maxAsking: 100,
  maxAskingPerVisitor: 50,
  patienceMs: 60_000,
};

const settled = () => new Promise(setImmediate);
const refusal = {
  name: 'ClientDocumentError',
  message: 'too many documents are being fetched already',
  transient: true,
};
const overload = { status: 'rejected', reason: expect.objectContaining(refusal) };

/** Fetches that run until the test ends them; a key is the visitor's name and a number. */
function fetches(limits: Partial<FetchLimits> = {}) {
  const queue = new FetchQueue({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const ask = (visitor: string, key: string, host = key) =>
    queue.run({ key, host, visitor }, () => {
      begun.push(key);
      ends.set(key, Promise.withResolvers());
      return ends.get(key)?.promise ?? Promise.reject(new Error('never'));
    });
  const many = (visitor: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => ask(visitor, `${visitor}${n}`)));
  const end = async (key: string) => {
    await settled();
    ends.get(key)?.resolve(key);
    await settled();
  };
  /** Ends running fetches until no further one begins. */
  const endAll = async () => {
    await settled();
    for (const key of begun) await end(key);
  };
  return { begun, ask, many, end, endAll, ends };
}

describe('fetch queue', () => {
  it('bounds the fetches at once, in total and per visitor', async () => {
    const { begun, many, endAll } = fetches();
    const all = ['a', 'b', 'c'].map((visitor) => many(visitor, 4));
    await settled();
    expect(begun).toEqual(['a0', 'a1', 'b0', 'b1']);
    await endAll();
    expect(begun).toHaveLength(12);
    await Promise.all(all);
  });

  it('gives the next turn to the visitor with the fewest under way', async () => {
    const { begun, many, ask, end, endAll } = fetches();
    const floods = ['a', 'b'].map((visitor) => many(visitor, 20));
    const own = ask('c', 'own');
    await end('a0');
    expect(begun.at(-1)).toBe('own');
    await end('own');
    await expect(own).resolves.toBe('own');
    await endAll();
    await Promise.all(floods);
  });

  it('gives turns to visitors one after the other', async () => {
    const { begun, many, ask, endAll } = fetches({ atOnce: 1 });
    const first = ask('d', 'd0');
    const all = ['a', 'b', 'c'].map((visitor) => many(visitor, 2));
    await endAll();
    await Promise.all([first, ...all]);
    expect(begun).toEqual(['d0', 'a0', 'b0', 'c0', 'a1', 'b1', 'c1']);
  });

  it('does not delay a fetch because another host is slow', async () => {
    const { begun, ask, endAll } = fetches({ atOncePerHost: 1 });
    const all = [ask('a', 'a0', 'slow'), ask('b', 'b0', 'slow'), ask('b', 'b1', 'other')];
    await settled();
    expect(begun).toEqual(['a0', 'b1']);
    await endAll();
    await expect(Promise.all(all)).resolves.toEqual(['a0', 'b0', 'b1']);
  });

  it('fetches once what many ask for, before and after it began', async () => {
    const { begun, ask, end } = fetches();
    const all = ['a', 'a', 'b', 'c'].map((visitor) => ask(visitor, 'one'));
    await settled();
    all.push(ask('d', 'one'));
    await end('one');
    await expect(Promise.all(all)).resolves.toEqual(Array(5).fill('one'));
    expect(begun).toEqual(['one']);
  });

  it('shares a fetch, and does not hold its callers to the place of the first one', async () => {
    const { begun, many, ask, end, endAll } = fetches({ atOncePerVisitor: 1 });
    const flood = many('a', 20);
    const [theirs, own] = [ask('a', 'shared'), ask('b', 'shared')];
    await settled();
    expect(begun).toEqual(['a0', 'shared']);
    await end('shared');
    await expect(Promise.all([theirs, own])).resolves.toEqual(['shared', 'shared']);
    await endAll();
    await flood;
  });

  it('tells all who asked for it that a fetch failed, and goes on', async () => {
    const { ask, ends, end } = fetches({ atOnce: 1 });
    const both = Promise.allSettled([ask('a', 'bad'), ask('b', 'bad')]);
    const next = ask('a', 'good');
    await settled();
    ends.get('bad')?.reject(new Error('gone'));
    const failure = { status: 'rejected', reason: new Error('gone') };
    expect(await both).toEqual([failure, failure]);
    await settled();
    await end('good');
    await expect(next).resolves.toBe('good');
  });

  it('refuses a visitor who asks for too much, whether or not it is under way', async () => {
    const { begun, many, ask, endAll } = fetches({ maxAskingPerVisitor: 3 });
    const outcome = many('a', 5);
    const joined = Promise.allSettled([ask('a', 'a0'), ask('b', 'b0')]);
    await settled();
    await endAll();
    expect(begun).toEqual(['a0', 'a1', 'b0', 'a2']);
    expect((await outcome).slice(2)).toEqual([
      { status: 'fulfilled', value: 'a2' },
      overload,
      overload,
    ]);
    expect(await joined).toEqual([overload, { status: 'fulfilled', value: 'b0' }]);
  });

  it('evicts requests of the visitor with the most when there is no room', async () => {
    const { many, ask, endAll } = fetches({ maxAsking: 6 });
    const flood = many('a', 6);
    const others = ['b', 'c', 'd', 'e', 'f'].map((visitor) => ask(visitor, visitor));
    const refused = ask('g', 'g');
    await expect(refused).rejects.toMatchObject(refusal);
    await endAll();
    await expect(Promise.all(others)).resolves.toEqual(['b', 'c', 'd', 'e', 'f']);
    expect((await flood).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses who has no turn for too long, and waits for what has begun', async () => {
    const { begun, ask, end } = fetches({ atOnce: 1, patienceMs: 1 });
    const first = ask('a', 'first');
    const second = Promise.allSettled([ask('b', 'second')]);
    expect(await second).toEqual([overload]);
    await end('first');
    await expect(first).resolves.toBe('first');
    expect(begun).toEqual(['first']);
  });
});
