import { UnreadBytes } from './unread-bytes.js';

const BOUNDS = { perHolder: 100, inAll: 250 };

describe('UnreadBytes', () => {
  let unread: UnreadBytes;
  let cut: string[];

  beforeEach(() => {
    unread = new UnreadBytes(BOUNDS);
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
    add('eve', 'small', 79);
    expect(cut).toEqual([]);
    add('dan', 'new', 2);
    expect([unread.bytes, cut]).toEqual([201, ['his larger one']]);
  });
});
