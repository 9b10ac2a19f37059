import { UnreadBytes } from './unread-bytes.js';

const BOUNDS = { perAccount: 100, inAll: 250 };

describe('UnreadBytes', () => {
  let unread: UnreadBytes;
  let cut: string[];

  beforeEach(() => {
    unread = new UnreadBytes(BOUNDS);
    cut = [];
  });

  function reader(userId: string, name: string, bytes: number) {
    const one = { userId, cut: () => cut.push(name) };
    unread.set(one, bytes);
    return one;
  }

  it('counts what each has unread now, until it has read it', () => {
    const one = reader('ann', 'one', 60);
    const other = reader('ann', 'other', 40);
    unread.set(one, 50);
    expect(unread.bytes).toBe(90);
    unread.set(one, 0);
    unread.set(one, 0);
    unread.set(other, 0);
    expect([unread.bytes, cut]).toEqual([0, []]);
  });

  it('cuts the connections with the most of an account that has too much, and no other', () => {
    reader('bob', 'his', 99);
    reader('ann', 'small', 20);
    reader('ann', 'large', 50);
    reader('ann', 'late', 30);
    expect([unread.bytes, cut]).toEqual([199, []]);
    reader('ann', 'later', 31);
    expect([unread.bytes, cut]).toEqual([99 + 81, ['large']]);
  });

  it('cuts a connection that has too much alone', () => {
    reader('ann', 'all', 101);
    expect([unread.bytes, cut]).toEqual([0, ['all']]);
  });

  it('cuts the connections of the account with the most when all have too much', () => {
    reader('ann', 'hers', 80);
    reader('bob', 'his', 40);
    reader('bob', 'his larger one', 50);
    reader('eve', 'small', 79);
    expect(cut).toEqual([]);
    reader('dan', 'new', 2);
    expect([unread.bytes, cut]).toEqual([201, ['his larger one']]);
  });
});
