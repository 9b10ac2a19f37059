import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from './testing.js';
import { onExchangeEnd, RequestLocal, RequestMember } from './request-context.js';

const REQUESTS = 50_000;
const NUMBERS_EACH = 125;
const BYTES_EACH = 1_000;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

describe('a member of a request', () => {
  it('is there once it was said, and of no other request', () => {
    const users = new RequestMember<string>();
    const apps = new RequestMember<string>();
    const [one, other] = [{}, {}];
    users.set(one, 'ada');
    expect([users.get(one), apps.get(one), users.get(other)]).toEqual([
      'ada',
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(one)).toBe('{}');
  });

  it('goes with its request, which it may know, before either is old', async () => {
    const checks = new RequestMember<() => unknown>();
    await collectGarbage();
    const before = oldBytes();
    for (let n = 0; n < REQUESTS; n += 1) {
      const request = { data: Array.from({ length: NUMBERS_EACH }, () => n) };
      checks.set(request, () => request);
    }
    expect(oldBytes() - before).toBeLessThan((REQUESTS * BYTES_EACH) / 10);
  });
});

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
      const part = await visitors.run('another visitor', () => seen());
      return [part, await seen()];
    });
    expect(inside).toEqual(['id', 'another visitor']);
    expect(after).toEqual(['id', undefined]);
  });

  it('is for the work alone where no request was begun', async () => {
    await expect(visitors.enter('visitor', () => seen())).resolves.toEqual([undefined, 'visitor']);
    await expect(seen()).resolves.toEqual([undefined, undefined]);
  });
});

describe('the end of an exchange', () => {
  let response: ServerResponse;
  let ended: number[];

  const listen = (one: number) => onExchangeEnd(response, () => ended.push(one));

  beforeEach(() => {
    response = new ServerResponse(new IncomingMessage(new Socket()));
    ended = [];
  });

  it('is told once to all who listen', () => {
    listen(1);
    listen(2);
    response.emit('close');
    response.emit('close');
    expect(ended).toEqual([1, 2]);
  });

  it('is told at once when it is over: answers that wait behind others are never "closed"', () => {
    response.destroy().emit('close');
    expect(response.closed).toBe(false);
    listen(1);
    expect(ended).toEqual([1]);
  });
});
