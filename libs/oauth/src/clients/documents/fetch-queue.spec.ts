import { FetchOverloadError } from './client-document.error.js';
import { FetchQueue } from './fetch-queue.js';

const never = new AbortController().signal;
const settled = () => new Promise(setImmediate);

/** A fetch that is under way until it is ended. */
function fetches() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const fetch = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, fetch, end: (name: string) => ends.get(name)?.() };
}

describe('fetch queue', () => {
  it('begins in the order of asking', async () => {
    const queue = new FetchQueue({ atOnce: 2, atOncePerHost: 2, maxWaiting: 10 });
    const { begun, fetch, end } = fetches();
    const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, fetch(name), never));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    end('a');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('c');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    end('b');
    end('d');
    await expect(Promise.all(all)).resolves.toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses who would make it too long', async () => {
    const queue = new FetchQueue({ atOnce: 1, atOncePerHost: 1, maxWaiting: 1 });
    const { fetch, end } = fetches();
    const names = ['first', 'second', 'third'];
    const all = Promise.allSettled(names.map((name) => queue.run(name, fetch(name), never)));
    for (const name of names) {
      await settled();
      end(name);
    }
    expect(await all).toEqual([
      { status: 'fulfilled', value: 'first' },
      { status: 'fulfilled', value: 'second' },
      { status: 'rejected', reason: new FetchOverloadError() },
    ]);
  });

  it('forgets who gave up waiting', async () => {
    const queue = new FetchQueue({ atOnce: 1, atOncePerHost: 1, maxWaiting: 1 });
    const { begun, fetch, end } = fetches();
    const waiting = new AbortController();
    const first = queue.run('a', fetch('first'), never);
    const second = queue.run('b', fetch('second'), waiting.signal);
    waiting.abort();
    await expect(second).rejects.toThrow('aborted');
    const third = queue.run('b', fetch('third'), never);
    end('first');
    await first;
    await settled();
    end('third');
    await expect(third).resolves.toBe('third');
    expect(begun).toEqual(['first', 'third']);
  });

  it('gives the turn of a fetch that takes too long to the next', async () => {
    const queue = new FetchQueue({ atOnce: 1, atOncePerHost: 1, maxWaiting: 1 });
    const { fetch, end } = fetches();
    const running = new AbortController();
    const first = queue.run('a', fetch('first'), running.signal);
    const second = queue.run('b', fetch('second'), never);
    await settled();
    running.abort();
    await expect(first).rejects.toThrow('aborted');
    await settled();
    end('second');
    await expect(second).resolves.toBe('second');
  });

  it('keeps nobody waiting for another host', async () => {
    const queue = new FetchQueue({ atOnce: 10, atOncePerHost: 2, maxWaiting: 1 });
    const { begun, fetch, end } = fetches();
    const names = ['a1', 'a2', 'a3', 'a4', 'b'];
    const all = names.map((name) => queue.run(name.charAt(0), fetch(name), never));
    const outcomes = Promise.allSettled(all);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b']);
    for (const name of names) {
      end(name);
      await settled();
    }
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('begins nothing whose time is over', async () => {
    const queue = new FetchQueue({ atOnce: 1, atOncePerHost: 1, maxWaiting: 1 });
    const { begun, fetch } = fetches();
    await expect(queue.run('a', fetch('late'), AbortSignal.abort())).rejects.toThrow('aborted');
    expect(begun).toEqual([]);
  });
});
