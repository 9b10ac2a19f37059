import { unused } from './budget-reservation.js';

describe('unused', () => {
  const reservation = { userId: 'ada', day: '2025-01-01', amount: 8 };

  it.each([
    { actual: 0, left: 8 },
    { actual: 3, left: 5 },
    { actual: 2.1, left: 5 },
    { actual: 8, left: 0 },
    { actual: 9, left: 0 },
    { actual: Infinity, left: 0 },
    { actual: Number.NaN, left: 0 },
    { actual: -1, left: 8 },
    { actual: -Infinity, left: 8 },
  ])('is $left of 8 when $actual were used', ({ actual, left }) => {
    expect(unused(reservation, actual)).toBe(left);
  });
});
