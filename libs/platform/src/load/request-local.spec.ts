import { setImmediate as turn } from 'node:timers/promises';
import { RequestLocal } from './request-local.js';

describe('what belongs to a request', () => {
  let ids: RequestLocal<string>;
  let visitors: RequestLocal<string>;

  const seen = async () => {
    await turn();
    return [ids.get(), visitors.get()];
  };

  beforeEach(() => {
    ids = new RequestLocal();
    visitors = new RequestLocal();
  });

  it('is found by all that it starts, and by no other request', async () => {
    const handle = (n: number) =>
      ids.run(`id ${n}`, () => visitors.enter(`visitor ${n}`, () => seen()));
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => handle(n)));
    expect(all).toEqual(Array.from({ length: 50 }, (_, n) => [`id ${n}`, `visitor ${n}`]));
    await expect(seen()).resolves.toEqual([undefined, undefined]);
  });

  it('is not what a part of it has for itself', async () => {
    const [inside, after] = await ids.run('id', async () => {
      const part = await visitors.run('nobody', () => seen());
      return [part, await seen()];
    });
    expect(inside).toEqual(['id', 'nobody']);
    expect(after).toEqual(['id', undefined]);
  });

  it('is for the work alone where no request was begun', async () => {
    await expect(visitors.enter('visitor', () => seen())).resolves.toEqual([undefined, 'visitor']);
    await expect(seen()).resolves.toEqual([undefined, undefined]);
  });
});
