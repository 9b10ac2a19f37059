import { retryAfterMs } from './retry-after.js';

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['Sun, 22 Nov 2026 09:31:00 GMT', 60_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['-1', undefined],
    ['1234567890', undefined],
    ['soon', undefined],
    [['1', '2'], undefined],
    [undefined, undefined],
  ])('%j is %j ms', (value, ms) => {
    expect(retryAfterMs(value, Date.parse('2026-11-22T09:30:00Z'))).toBe(ms);
  });
});
