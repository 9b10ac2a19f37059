import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AccountSlots } from './account-slots.js';

describe('slots of accounts', () => {
  let slots: AccountSlots;
  let begun: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    slots = new AccountSlots();
    begun = [];
  });

  afterEach(() => jest.useRealTimers());

  function enter(name: string, token = 'token', account?: string) {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    void slots.enter(token, response).then((rememberAccount) => {
      begun.push(name);
      return account === undefined ? undefined : rememberAccount(account);
    });
    return { leave: () => response.destroy().emit('close') };
  }
  const enterAll = (...names: string[]) => names.map((name) => enter(name));
  const settled = () => jest.advanceTimersByTimeAsync(0);
  const lines = () =>
    Reflect.get(Reflect.get(slots, 'beginning') as object, 'lines') as Map<string, unknown>;

  it('are four; the others begin when one is left, in the order of coming', async () => {
    const all = enterAll('a', 'b', 'c', 'd', 'e', 'f');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    all[2]?.leave();
    all[2]?.leave();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('are left by what takes long', async () => {
    enterAll('a', 'b', 'c', 'd', 'e');
    await jest.advanceTimersByTimeAsync(19);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('go past one that was left before its turn', async () => {
    const all = enterAll('a', 'b', 'c', 'd', 'e', 'f');
    all[4]?.leave();
    all[0]?.leave();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('are of an account, for all of its tokens that were seen', async () => {
    enterAll('a', 'b', 'c', 'd');
    enter('other', 'token of another');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'other']);
    for (const token of ['one', 'two']) {
      const first = enter('first', token, 'ann');
      await settled();
      first.leave();
    }
    for (const n of [1, 2, 3]) {
      enter(`one ${n}`, 'one');
      enter(`two ${n}`, 'two');
    }
    await settled();
    expect(begun.slice(7)).toEqual(['one 1', 'two 1', 'one 2', 'two 2']);
  });

  it('429 | 256 requests wait already; one that is left makes room, and other tokens have theirs', async () => {
    const ask = (token = 'token') => {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      return { response, entered: slots.enter(token, response) };
    };
    const refusal = expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } });
    const all = Array.from({ length: 4 + 256 }, () => ask());
    await settled();
    await expect(ask().entered).rejects.toEqual(refusal);
    await expect(ask('other').entered).resolves.toBeDefined();
    all[100]?.response.destroy().emit('close');
    await settled();
    void ask();
    await expect(ask().entered).rejects.toEqual(refusal);
    await jest.advanceTimersByTimeAsync(20 * 70);
    await expect(ask().entered).resolves.toBeDefined();
  });

  it('are never more, whatever was left late, and nothing is kept of who is gone', async () => {
    const slow = enterAll('a', 'b', 'c', 'd');
    await jest.advanceTimersByTimeAsync(20);
    expect(lines().size).toBe(0);
    const next = enterAll('e', 'f', 'g', 'h', 'i');
    for (const slot of slow) slot.leave();
    next.push(enter('j'));
    await settled();
    expect(begun.slice(4)).toEqual(['e', 'f', 'g', 'h']);
    for (const slot of next) slot.leave();
    await settled();
    expect(lines().size).toBe(0);
  });
});
