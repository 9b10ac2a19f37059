import { MessageRate } from './tab-inflow.service.js';

describe('MessageRate', () => {
  let now: number;
  let rate: MessageRate;

  const take = (count: number) => Array.from({ length: count }, () => rate.take());
  const passed = (count: number) => take(count).filter((action) => action === 'pass').length;

  beforeEach(() => {
    now = 1000;
    rate = new MessageRate(() => now);
  });

  it('lets 100 through at once, then 50 a second', () => {
    expect(passed(150)).toBe(100);
    now += 500;
    expect(passed(100)).toBe(25);
    now += 10_000;
    expect(passed(200)).toBe(100);
  });

  it('lets 50 a second through for ever', () => {
    for (let n = 0; n < 5000; n += 1) {
      now += 20;
      expect(rate.take()).toBe('pass');
    }
  });

  it('warns once a second at most', () => {
    take(100);
    expect(take(3)).toEqual(['warn', 'drop', 'drop']);
    now += 19;
    expect(rate.take()).toBe('drop');
    now += 981;
    expect(passed(50)).toBe(50);
    expect(take(2)).toEqual(['warn', 'drop']);
  });

  it('gives up after 500 dropped messages', () => {
    take(100);
    expect(take(500)).not.toContain('close');
    expect(rate.take()).toBe('close');
  });

  it('drops what does not fit, and gives up in the end', () => {
    expect(rate.take(() => false)).toBe('warn');
    expect(take(1)).toEqual(['pass']);
    const actions = Array.from({ length: 600 }, () => {
      now += 20;
      return rate.take(() => false);
    });
    expect(actions.indexOf('close')).toBe(500 - 1);
  });

  it('forgives when the bucket was full again', () => {
    take(600);
    now += 1999;
    expect(rate.take()).toBe('pass');
    expect(take(100)).toContain('close');
    now += 2000;
    expect(take(600)).not.toContain('close');
  });
});
