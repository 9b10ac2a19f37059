import { pauseAfter, retryAfterMs } from './retry-schedule.js';

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

const HOUR_MS = 60 * 60 * 1000;

describe('the pause after a failure', () => {
  const exactly = (failures: number, asked?: number) => pauseAfter(failures, asked, 0.5);

  it('is that of the Standard Webhooks, and ends after ten attempts', () => {
    const hours = Array.from({ length: 9 }, (_, n) => (exactly(n + 1) ?? 0) / HOUR_MS);
    expect(hours).toEqual([5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24]);
    expect(exactly(10)).toBeUndefined();
  });

  it('is up to a tenth longer or shorter', () => {
    expect([pauseAfter(2, 0, 0), pauseAfter(2, 0, 1)]).toEqual([270_000, 330_000]);
  });

  it('is what the other side asks for where that is longer, up to a day', () => {
    expect(pauseAfter(1, 60_000, 0)).toBe(60_000);
    expect(exactly(2, 60_000)).toBe(300_000);
    expect(pauseAfter(1, 1_000 * HOUR_MS, 0)).toBe(24 * HOUR_MS);
    expect(exactly(10, 60_000)).toBeUndefined();
  });

  it('is never shorter than what was asked for, and not the same for all who were asked at once', () => {
    expect([pauseAfter(1, 300_000, 0), pauseAfter(1, 300_000, 1)]).toEqual([300_000, 330_000]);
  });

  it.each([Number.NaN, -60_000])('goes by the schedule when %d ms are asked for', (asked) => {
    expect(exactly(1, asked)).toBe(5_000);
  });
});
