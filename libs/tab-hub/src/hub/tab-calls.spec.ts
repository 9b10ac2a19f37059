import { TabCalls } from './account-calls.js';

describe('TabCalls', () => {
  let calls: TabCalls;

  const named = (name: string) => expect.objectContaining({ name });

  beforeEach(() => {
    calls = new TabCalls();
  });
  afterEach(() => {
    calls.keepOnly(new Set());
    expect(calls.size).toBe(0);
  });

  it('takes the first outcome of a call and no other', async () => {
    const answer = calls.wait('c', 'tab', 10_000);
    calls.resolve('other', { ok: true, value: 0 });
    calls.resolve('c', { ok: true, value: [1] });
    calls.resolve('c', { ok: false, error: 'late' });
    expect(await answer).toEqual([1]);
  });

  it.each([
    ['CallRefusedError', { ok: false, error: 'no' } as const],
    ['TabGoneError', null],
  ])('fails with %s', async (name, outcome) => {
    const answer = calls.wait('c', 'tab', 10_000);
    calls.resolve('c', outcome);
    await expect(answer).rejects.toEqual(named(name));
  });

  it('fails when it took too long', async () => {
    await expect(calls.wait('c', 'tab', 1)).rejects.toEqual(named('CallTimeoutError'));
  });

  it('fails the calls to tabs that are gone', async () => {
    const [gone, kept] = [calls.wait('a', 'gone', 10_000), calls.wait('b', 'kept', 10_000)];
    calls.keepOnly(new Set(['kept', 'more']));
    await expect(gone).rejects.toEqual(named('TabGoneError'));
    calls.resolve('b', { ok: true, value: 1 });
    expect(await kept).toBe(1);
  });

  it('waits for 64 answers at most', async () => {
    const waiting = Array.from({ length: 64 }, (_, n) => calls.wait(`c${n}`, 'tab', 10_000));
    expect(() => calls.wait('one more', 'tab', 10_000)).toThrow('64 calls');
    calls.keepOnly(new Set());
    const settled = await Promise.allSettled(waiting);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
