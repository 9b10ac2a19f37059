import { Rounds } from './tab-bus.redis.js';

describe('Rounds', () => {
  it('gives everybody a turn within so many steps, again and again', () => {
    const rounds = new Rounds<number>(4);
    const all = Array.from({ length: 10 }, (_, n) => n);
    const steps = Array.from({ length: 8 }, () => rounds.next(() => all));
    expect(steps.map(({ length }) => length)).toEqual([3, 3, 3, 1, 3, 3, 3, 1]);
    expect(steps.slice(0, 4).flat()).toEqual(all);
    expect(steps.slice(4).flat()).toEqual(all);
  });

  it('takes in who came when the next round begins', () => {
    const rounds = new Rounds<string>(10);
    expect(rounds.next(() => [])).toEqual([]);
    expect(rounds.next(() => ['ann', 'bob'])).toEqual(['ann']);
    expect(rounds.next(() => ['ann', 'bob', 'eve'])).toEqual(['bob']);
    expect(rounds.next(() => ['eve'])).toEqual(['eve']);
  });
});
