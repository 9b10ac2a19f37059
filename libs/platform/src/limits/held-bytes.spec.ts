import { HeldBytes } from './held-bytes.js';

const BOUNDS = { perHolder: 100, inAll: 250 };

describe('HeldBytes of what comes in', () => {
  let held: HeldBytes;
  let gaveUp: string[];

  beforeEach(() => {
    held = new HeldBytes(BOUNDS);
    gaveUp = [];
  });

  function open(name: string) {
    const one = { cut: () => gaveUp.push(name) };
    return {
      resize: (bytes: number) => held.grow(name, one, bytes),
      close: () => held.set(name, one, 0),
    };
  }
  function hold(name: string, bytes: number) {
    const one = open(name);
    expect(one.resize(bytes)).toBe(true);
    return one;
  }

  it('lets each have so much, in however many pieces, and refuses more without a change', () => {
    hold('ann', 60);
    const growing = hold('ann', 20);
    expect(growing.resize(41)).toBe(false);
    expect(held.bytes).toBe(80);
    expect(growing.resize(40)).toBe(true);
    expect(open('ann').resize(1)).toBe(false);
    hold('bob', 100);
    expect(held.bytes).toBe(200);
  });

  it('has it all back when holds are closed, however often', () => {
    const [one, other] = [hold('ann', 60), hold('ann', 40)];
    for (const again of [one, one, other, one]) again.close();
    expect(held.bytes).toBe(0);
    hold('ann', 100);
    open('bob').close();
    expect(held.bytes).toBe(100);
  });

  it('refuses bytes beyond the total to the holder of the most', () => {
    for (const name of ['ann', 'bob']) hold(name, 100);
    const third = hold('eve', 50);
    expect(third.resize(100)).toBe(false);
    expect(gaveUp).toEqual([]);
    expect(held.bytes).toBe(250);
  });

  it('evicts the largest holder, whichever changed last', () => {
    for (const name of ['ann', 'bob']) hold(name, 100);
    const third = hold('eve', 50);
    expect(third.resize(100)).toBe(false);
    expect(third.resize(40)).toBe(true);
    hold('zoe', 20);
    expect(gaveUp).toEqual(['ann']);
  });

  it('evicts no bytes that were given back before', () => {
    const closed = hold('ann', 40);
    hold('ann', 60);
    closed.close();
    hold('ann', 40);
    for (const [name, bytes] of Object.entries({ bob: 90, eve: 60, zoe: 20 })) hold(name, bytes);
    expect(gaveUp).toEqual(['ann']);
    expect(held.bytes).toBe(210);
  });

  it('evicts the oldest bytes of the largest holder for smaller ones', () => {
    for (const [name, bytes] of Object.entries({ ann: 40, bob: 30, eve: 30 })) {
      hold(name, bytes);
      hold(name, 50);
    }
    expect(gaveUp).toEqual([]);
    const small = hold('zoe', 30);
    expect(gaveUp).toEqual(['ann']);
    expect(held.bytes).toBe(240);
    expect(small.resize(70)).toBe(true);
    expect(gaveUp).toEqual(['ann', 'bob']);
  });

  it('evicts what is not whole first, and then the latest', () => {
    const [first, , third] = ['first', 'second', 'third'].map((name) => {
      const one = { isWhole: name !== 'second', cut: () => gaveUp.push(name) };
      held.grow('ann', one, 33);
      return one;
    });
    for (const [name, bytes] of Object.entries({ bob: 60, eve: 60, zoe: 31 })) hold(name, bytes);
    hold('newcomer', 1);
    expect(gaveUp).toEqual(['second']);
    hold('newcomer', 32);
    hold('last', 1);
    expect(gaveUp).toEqual(['second', 'third']);
    for (const one of [first, third]) if (one) held.set('ann', one, 0);
    expect(held.bytes).toBe(185);
  });

  it('a few holders keep no newcomer out, and the total stays within its bound', () => {
    for (const name of ['a', 'b']) for (let n = 0; n < 10; n += 1) hold(name, 10);
    for (let n = 0; n < 5; n += 1) hold('c', 10);
    for (let n = 0; n < 200; n += 1) {
      const holds = Array.from({ length: 3 }, () => hold(`newcomer ${n}`, 3));
      expect(held.bytes).toBeLessThanOrEqual(BOUNDS.inAll);
      for (const one of holds) one.close();
    }
  });

  it('looks through its holders only when it is unknown which has the most', () => {
    const holders = Reflect.get(held, 'holders') as Map<string, object>;
    let scans = 0;
    const values = () => {
      scans += 1;
      return Map.prototype.values.call(holders);
    };
    Object.assign(holders, { values });
    const holds = Array.from({ length: 25 }, (_, n) => hold(`holder ${n}`, 10));
    for (let n = 0; n < 50; n += 1) {
      expect(open(`late ${n}`).resize(10)).toBe(false);
    }
    expect(scans).toBe(1);
    holds[3]?.close();
    for (const bytes of [15, 20, 20]) expect(holds[4]?.resize(bytes)).toBe(true);
    hold('small', 5);
    expect(gaveUp).toEqual(['holder 4']);
    expect(scans).toBe(1);
  });

  it('remembers none that holds nothing', () => {
    const holders = Reflect.get(held, 'holders') as Map<string, object>;
    for (const name of ['ann', 'bob', 'eve']) hold(name, 10).close();
    open('zoe').close();
    expect(holders.size).toBe(0);
  });

  it('lets each hold 16 MiB and all together 64 MiB', () => {
    const mebibytes = (count: number) => count * 1024 * 1024;
    held = new HeldBytes();
    for (const name of ['ann', 'bob', 'eve', 'zoe']) {
      const { resize } = open(name);
      expect([resize(mebibytes(16) + 1), resize(mebibytes(16))]).toEqual([false, true]);
    }
    expect(open('dan').resize(mebibytes(16))).toBe(false);
    expect([held.bytes, gaveUp]).toEqual([mebibytes(64), []]);
  });

  it('a hold that gave way is closed: closing it again takes nothing from others', () => {
    const first = hold('ann', 100);
    hold('bob', 90);
    hold('eve', 60);
    hold('zoe', 20);
    expect(gaveUp).toEqual(['ann']);
    first.close();
    expect(held.bytes).toBe(170);
  });
});

describe('HeldBytes of what goes out', () => {
  let unread: HeldBytes;
  let cut: string[];

  beforeEach(() => {
    unread = new HeldBytes(BOUNDS);
    cut = [];
  });

  function add(holder: string, name: string, bytes: number) {
    const one = { cut: () => cut.push(name) };
    unread.set(holder, one, bytes);
    return one;
  }

  it('counts what is unread now, until it is read', () => {
    const one = add('ann', 'one', 60);
    const other = add('ann', 'other', 40);
    unread.set('ann', one, 50);
    expect(unread.bytes).toBe(90);
    unread.set('ann', one, 0);
    unread.set('ann', one, 0);
    unread.set('ann', other, 0);
    expect([unread.bytes, cut]).toEqual([0, []]);
  });

  it('cuts the largest of a holder that has too much, and no other', () => {
    add('bob', 'his', 99);
    add('ann', 'small', 20);
    add('ann', 'large', 50);
    add('ann', 'late', 30);
    expect([unread.bytes, cut]).toEqual([199, []]);
    add('ann', 'later', 31);
    expect([unread.bytes, cut]).toEqual([99 + 81, ['large']]);
  });

  it('cuts one that has too much alone', () => {
    add('ann', 'all', 101);
    expect([unread.bytes, cut]).toEqual([0, ['all']]);
  });

  it('cuts the largest of the holder with the most when all have too much', () => {
    add('ann', 'hers', 80);
    add('bob', 'his', 40);
    add('bob', 'his larger one', 50);
    add('eve', 'small', 80);
    expect([unread.bytes, cut]).toEqual([BOUNDS.inAll, []]);
    add('dan', 'new', 2);
    expect([unread.bytes, cut]).toEqual([202, ['his larger one']]);
  });
});
