import { timestamps } from './line-time.js';

describe('the time of a line', () => {
  it('is that of the moment, also when the clock is set', () => {
    let now = Date.parse('2026-12-31T23:59:59.007Z');
    const time = timestamps(() => now);
    for (const step of [0, 0, 92, 900, 1, 999, 1, 86_400_000, -86_400_000, -3_600_001]) {
      now += step;
      expect(time()).toBe(`,"time":"${new Date(now).toISOString()}"`);
    }
  });
});
