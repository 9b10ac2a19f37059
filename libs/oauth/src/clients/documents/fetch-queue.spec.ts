import { FetchSlots, HostSlots } from './fetch-queue.js';

const never = new AbortController().signal;
const settled = () => new Promise(setImmediate);

describe('fetch slots', () => {
  it('hand a slot on in the order of asking', async () => {
    const slots = new FetchSlots(2, 10);
    const begun: string[] = [];
    const take = async (name: string) => {
      const release = await slots.take(never);
      begun.push(name);
      return release;
    };
    const [releaseA] = await Promise.all([take('a'), take('b')]);
    const c = take('c');
    const d = take('d');
    await settled();
    expect(begun).toEqual(['a', 'b']);
    releaseA();
    const releaseC = await c;
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    releaseC();
    await d;
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuse who would make the queue too long', async () => {
    const slots = new FetchSlots(1, 1);
    const release = await slots.take(never);
    const second = slots.take(never);
    await expect(slots.take(never)).rejects.toThrow('too many');
    release();
    (await second)();
    await expect(slots.take(never)).resolves.toBeInstanceOf(Function);
  });

  it('forget who gave up waiting', async () => {
    const slots = new FetchSlots(1, 1);
    const release = await slots.take(never);
    const waiting = new AbortController();
    const second = slots.take(waiting.signal);
    waiting.abort();
    await expect(second).rejects.toThrow('too many');
    await expect(slots.take(AbortSignal.abort())).rejects.toThrow('too many');
    release();
    await expect(slots.take(never)).resolves.toBeInstanceOf(Function);
  });
});

describe('host slots', () => {
  it('keep nobody waiting for another host', async () => {
    const slots = new HostSlots(2, 1);
    const releases = [await slots.take('a', never), await slots.take('a', never)];
    const third = slots.take('a', never);
    await expect(slots.take('a', never)).rejects.toThrow('too many');
    await expect(slots.take('b', never)).resolves.toBeInstanceOf(Function);
    for (const release of releases) release();
    (await third)();
    for (const _ of releases) await slots.take('a', never);
    await expect(slots.take('a', AbortSignal.abort())).rejects.toThrow('too many');
  });
});
