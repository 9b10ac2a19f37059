import { setImmediate as turn } from 'node:timers/promises';
import { Outbox, type Post } from './tab-bus.redis.js';
import { TabBusDownError } from './tab-bus.js';

describe('Outbox', () => {
  let sent: string[][];
  let answers: PromiseWithResolvers<readonly number[]>[];
  let outbox: Outbox;

  beforeEach(() => {
    [sent, answers] = [[], []];
    outbox = new Outbox((posts: readonly Post[]) => {
      sent.push(posts.map(({ text }) => text));
      const answer = Promise.withResolvers<readonly number[]>();
      answers.push(answer);
      return answer.promise;
    });
  });

  function post(text: string) {
    const posted = outbox.post({ userId: 'ann', text });
    posted.catch(() => undefined);
    return posted;
  }

  it('sends what was posted in one turn in one batch, and tells each its own number', async () => {
    const posts = ['a', 'b', 'c'].map(post);
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([['a', 'b', 'c']]);
    answers[0]?.resolve([2, 0, 1]);
    expect(await Promise.all(posts)).toEqual([2, 0, 1]);
  });

  it('sends nothing while a batch is on its way, and then all that waits', async () => {
    const posts = [post('a')];
    await turn();
    posts.push(post('b'));
    await turn();
    posts.push(post('c'));
    await turn();
    expect(sent).toEqual([['a']]);
    answers[0]?.resolve([1]);
    await turn();
    expect(sent).toEqual([['a'], ['b', 'c']]);
    answers[1]?.resolve([1, 1]);
    await Promise.all(posts);
    void post('d');
    await turn();
    expect(sent.at(-1)).toEqual(['d']);
  });

  it('bounds a batch by count and by size, and keeps the order', async () => {
    const texts = Array.from({ length: 1_100 }, (_, n) => String(n));
    const large = ['x', 'y', 'z'].map((letter) => letter.repeat(600_000));
    const huge = 'h'.repeat(2_000_000);
    const posts = [...texts, ...large, huge].map(post);
    for (let n = 0; n < 7; n += 1) {
      await turn();
      answers[n]?.resolve([]);
    }
    await Promise.all(posts);
    expect(sent.flat()).toEqual([...texts, ...large, huge]);
    expect(sent.map(({ length }) => length)).toEqual([512, 512, 77, 1, 1, 1]);
  });

  it('fails what waits together with the batch that it waits for, and goes on after that', async () => {
    const first = post('a');
    await turn();
    const second = post('b');
    answers[0]?.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await expect(second).rejects.toThrow('down');
    const third = post('c');
    await turn();
    answers[1]?.resolve([3]);
    expect(await third).toBe(3);
    expect(sent).toEqual([['a'], ['c']]);
  });

  it('keeps 16 Mi characters waiting at most, and has room again for what left', async () => {
    const first = post('a');
    await turn();
    const large = 'x'.repeat(1024 * 1024 - 512);
    const waiting = Array.from({ length: 16 }, () => post(large));
    await expect(post('')).rejects.toBeInstanceOf(TabBusDownError);
    answers[0]?.resolve([1]);
    await turn();
    const next = post('b');
    answers[1]?.reject(new Error('down'));
    const others = await Promise.allSettled([...waiting, next]);
    expect(others.map(({ status }) => status)).toEqual(Array(17).fill('rejected'));
    expect(await first).toBe(1);
    const again = Array.from({ length: 16 }, () => post(large));
    await turn();
    answers[2]?.reject(new Error('down'));
    for (const settled of await Promise.allSettled(again)) {
      expect(settled).toMatchObject({ reason: { message: 'down' } });
    }
  });

  it('counts posts too, however short they are', async () => {
    const first = post('a');
    await turn();
    const all = Promise.allSettled([first, ...Array.from({ length: 40_000 }, () => post(''))]);
    answers[0]?.reject(new Error('down'));
    const full = (await all).filter(
      (settled) => settled.status === 'rejected' && settled.reason instanceof TabBusDownError,
    );
    expect(full).toHaveLength(40_000 - 32 * 1024);
  });
});
