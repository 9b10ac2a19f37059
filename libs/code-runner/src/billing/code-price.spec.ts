import { assert, double, integer, property } from 'fast-check';
import { HARD_MARGIN_MS, MAX_TIMEOUT_MS } from '../runner/code-runner.js';
import { affordableTimeoutMs, codePrice, highestPrice } from './code-price.js';

describe('the price of code', () => {
  it.each([
    [0, 1],
    [0.2, 1],
    [10, 1],
    [10.01, 2],
    [999.9, 100],
    [1_000, 100],
  ])('of %d ms is %d credits', (runMs, credits) => {
    expect(codePrice(runMs)).toBe(credits);
  });

  it.each([
    [1, 26],
    [1_000, 125],
    [5_000, 525],
  ])('with a timeout of %d ms is at most %d credits', (timeoutMs, credits) => {
    expect(highestPrice(timeoutMs)).toBe(credits);
  });

  it('covers everything up to the hard end of a run', () => {
    const timeout = integer({ min: 1, max: MAX_TIMEOUT_MS });
    const shareOfTime = double({ min: 0, max: 1, noNaN: true });
    assert(
      property(timeout, shareOfTime, (timeoutMs, share) => {
        const runMs = share * (timeoutMs + HARD_MARGIN_MS);
        expect(codePrice(runMs)).toBeLessThanOrEqual(highestPrice(timeoutMs));
      }),
    );
  });

  it('names the longest timeout that credits cover', () => {
    assert(
      property(integer({ min: 0, max: 1_000 }), (credits) => {
        const timeoutMs = affordableTimeoutMs(credits);
        const isCovered = timeoutMs === 0 || highestPrice(timeoutMs) <= credits;
        expect(isCovered).toBe(true);
        expect(highestPrice(timeoutMs + 1)).toBeGreaterThan(credits);
      }),
    );
  });
});
