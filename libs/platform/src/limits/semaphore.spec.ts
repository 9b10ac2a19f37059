import { Semaphore } from './semaphore.js';

/** A semaphore of the given permits, whose last is for a key that has none. */
const fair = (inAll: number, maxWaiting: number) =>
  new Semaphore({ inAll, keepsOne: true, maxWaiting });
const soon = () => AbortSignal.timeout(1);

describe('Semaphore', () => {
  it('gives permits at once while there are some, then in the order of asking', async () => {
    const semaphore = fair(2, 2);
    expect(await Promise.all([semaphore.acquire('ann'), semaphore.acquire('bob')])).toEqual([
      true,
      true,
    ]);
    const order: string[] = [];
    const [third, fourth] = ['cy', 'di'].map((name) =>
      semaphore.acquire(name).then((isAcquired) => order.push(`${name} ${isAcquired}`)),
    );
    semaphore.release('ann');
    await third;
    semaphore.release('bob');
    await fourth;
    expect(order).toEqual(['cy true', 'di true']);
  });

  it('refuses at once when too many wait, and not longer', async () => {
    const semaphore = fair(1, 1);
    await semaphore.acquire('ann');
    const second = semaphore.acquire('bob');
    expect(await semaphore.acquire('cy')).toBe(false);
    semaphore.release('ann');
    expect(await second).toBe(true);
  });

  it('gives nothing to who gave up', async () => {
    const semaphore = fair(1, 2);
    await semaphore.acquire('ann');
    const impatient = semaphore.acquire('bob', soon());
    const patient = semaphore.acquire('cy');
    expect(await impatient).toBe(false);
    semaphore.release('ann');
    expect(await patient).toBe(true);
    semaphore.release('cy');
    expect(await semaphore.acquire('di', soon())).toBe(true);
  });

  it('gives nothing to who was cancelled, before or while waiting', async () => {
    const semaphore = fair(1, 1);
    const cancel = new AbortController();
    await semaphore.acquire('ann');
    const waiting = semaphore.acquire('bob', cancel.signal);
    cancel.abort();
    expect(await waiting).toBe(false);
    semaphore.release('ann');
    expect(await semaphore.acquire('bob', cancel.signal)).toBe(false);
    expect(await semaphore.acquire('cy')).toBe(true);
  });

  it('never gives all to one key: the last free permit is for another', async () => {
    const semaphore = fair(2, 4);
    await semaphore.acquire('ann');
    const again = semaphore.acquire('ann');
    expect(await semaphore.acquire('bob', soon())).toBe(true);
    semaphore.release('bob');
    expect(await semaphore.acquire('cy', soon())).toBe(true);
    semaphore.release('ann');
    expect(await again).toBe(true);
  });

  it('gives a key more than one where enough are free', async () => {
    const semaphore = fair(4, 4);
    await semaphore.acquire('ann');
    expect(await semaphore.acquire('ann', soon())).toBe(true);
    await semaphore.acquire('bob');
    const again = semaphore.acquire('bob');
    semaphore.release('ann');
    expect(await again).toBe(true);
  });

  it('serves even one key where there is a single permit', async () => {
    const semaphore = fair(1, 1);
    expect(await semaphore.acquire('ann', soon())).toBe(true);
    const again = semaphore.acquire('ann');
    semaphore.release('ann');
    expect(await again).toBe(true);
  });

  it('gives the next to the key that holds the fewest, and then to each in turn', async () => {
    const semaphore = new Semaphore({ inAll: 3, perKey: 2 });
    const order: string[] = [];
    const ask = (key: string) => semaphore.acquire(key).then(() => order.push(key));
    const all = ['ann', 'ann', 'ann', 'bob', 'bob', 'cy', 'cy', 'di'].map(ask);
    const turn = () => new Promise(setImmediate);
    await turn();
    expect(order.splice(0)).toEqual(['ann', 'ann', 'bob']);
    for (const [key, next] of [
      ['ann', 'cy'],
      ['bob', 'bob'],
      ['ann', 'ann'],
      ['cy', 'di'],
      ['bob', 'cy'],
    ] as const) {
      semaphore.release(key);
      await turn();
      expect([key, order.splice(0)]).toEqual([key, [next]]);
    }
    await Promise.all(all);
  });

  it('gives the next to the key that used least, among those that hold as many', async () => {
    const used: Record<string, number> = { ann: 3, bob: 2, cy: 1, di: 1 };
    const semaphore = new Semaphore({ inAll: 2, usedBy: (key) => used[key] ?? 0 });
    const order: string[] = [];
    const ask = (key: string) => semaphore.acquire(key).then(() => order.push(key));
    const all = ['ann', 'cy', 'cy', 'ann', 'bob', 'di'].map(ask);
    for (const key of ['ann', 'cy', 'di', 'bob']) {
      await new Promise(setImmediate);
      semaphore.release(key);
    }
    await Promise.all(all);
    expect(order).toEqual(['ann', 'cy', 'di', 'cy', 'bob', 'ann']);
  });

  it('gives each key its own permits, in the order of asking, whatever other keys hold', async () => {
    const semaphore = new Semaphore({ perKey: 2 });
    expect([1, 2, 3].map(() => semaphore.tryAcquire('ann'))).toEqual([true, true, false]);
    expect(semaphore.tryAcquire('bob', 3)).toBe(false);
    expect(semaphore.tryAcquire('bob', 2)).toBe(true);
    const order: number[] = [];
    const waiting = [1, 2].map((n) => semaphore.acquire('ann').then(() => order.push(n)));
    semaphore.release('bob', 2);
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    semaphore.release('ann', 2);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
    expect(semaphore.tryAcquire('ann')).toBe(false);
  });

  it('lets others go first while one is not ready', async () => {
    const semaphore = new Semaphore({ inAll: 1 });
    semaphore.tryAcquire('ann');
    let isReady = false;
    const order: string[] = [];
    const first = semaphore.acquire('bob', undefined, () => isReady).then(() => order.push('bob'));
    const second = semaphore.acquire('cy').then(() => order.push('cy'));
    semaphore.release('ann');
    await second;
    isReady = true;
    semaphore.release('cy');
    await first;
    expect(order).toEqual(['cy', 'bob']);
  });

  it('looks through its keys only while one waits and a permit is free', async () => {
    const semaphore = new Semaphore({ inAll: 20 });
    for (let n = 0; n < 20; n += 1) semaphore.tryAcquire(`key ${n}`);
    const lines = Reflect.get(semaphore, 'lines') as Map<string, object>;
    let scans = 0;
    const entries = () => {
      scans += 1;
      return Map.prototype.entries.call(lines);
    };
    Object.assign(lines, { [Symbol.iterator]: entries });
    semaphore.release('key 0');
    expect(scans).toBe(0);
    semaphore.tryAcquire('key 0');
    const waiting = [1, 2].map((n) => semaphore.acquire(`late ${n}`));
    semaphore.release('key 1');
    expect(await waiting[0]).toBe(true);
    expect(scans).toBe(1);
  });

  it('takes no notice of a signal that aborts after the turn', async () => {
    const semaphore = new Semaphore({ perKey: 1 });
    const cancel = new AbortController();
    semaphore.tryAcquire('ann');
    const second = semaphore.acquire('ann', cancel.signal);
    semaphore.release('ann');
    cancel.abort();
    expect(await second).toBe(true);
    expect(semaphore.tryAcquire('ann')).toBe(false);
    semaphore.release('ann');
    expect(semaphore.tryAcquire('ann')).toBe(true);
  });

  it('keeps nothing of keys that neither hold nor wait', async () => {
    const semaphore = new Semaphore({ perKey: 1 });
    semaphore.tryAcquire('ann');
    semaphore.tryAcquire('ann');
    const gone = semaphore.acquire('ann', soon());
    semaphore.tryAcquire('bob', 2);
    semaphore.release('ann');
    expect(await gone).toBe(true);
    const late = semaphore.acquire('ann', soon());
    expect(await late).toBe(false);
    semaphore.release('ann');
    expect(Reflect.get(semaphore, 'lines')).toEqual(new Map());
  });
});
