import { BudgetExhaustedError, budgetDay, endOfDay, LimitUnknownError, unused } from './budget.js';

describe('budgetDay', () => {
  it.each([
    ['2025-03-09T00:00:00.000Z', '2025-03-09'],
    ['2025-03-09T23:59:59.999Z', '2025-03-09'],
    ['2025-03-09T23:59:59.999-01:00', '2025-03-10'],
    ['2025-03-10T01:00:00+02:00', '2025-03-09'],
  ])('%s is on %s', (moment, day) => {
    expect(budgetDay(new Date(moment))).toBe(day);
  });
});

describe('resetsAt', () => {
  it.each([
    ['2025-03-09', '2025-03-10T00:00:00.000Z'],
    ['2025-04-30', '2025-05-01T00:00:00.000Z'],
    ['2025-12-31', '2026-01-01T00:00:00.000Z'],
    ['2024-02-28', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29', '2024-03-01T00:00:00.000Z'],
    ['2025-02-28', '2025-03-01T00:00:00.000Z'],
    ['2100-02-28', '2100-03-01T00:00:00.000Z'],
  ])('%s ends at %s', (day, end) => {
    expect(endOfDay(day)).toBe(end);
  });

  it('is the first moment of the following day', () => {
    const day = '2025-10-26';
    expect(budgetDay(new Date(Date.parse(endOfDay(day)) - 1))).toBe(day);
    expect(budgetDay(new Date(endOfDay(day)))).toBe('2025-10-27');
  });
});

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

describe('the refusal of an exhausted budget', () => {
  const exhausted = (amount: number, left?: number) =>
    new BudgetExhaustedError(amount, '2025-03-10T00:00:00.000Z', left);

  it.each([
    [1, '1 more credit;'],
    [2, '2 more credits;'],
  ])('has a text for %i', (amount, text) => {
    expect(exhausted(amount)).toMatchObject({
      name: 'BudgetExhaustedError',
      message: `today's budget does not cover ${text} it resets at 2025-03-10T00:00:00.000Z`,
    });
  });

  it('says when it is the limit of the app', () => {
    const resetsAt = '2025-03-10T00:00:00.000Z';
    expect(new BudgetExhaustedError(1, resetsAt, 0, 'connection')).toMatchObject({
      limitedBy: 'connection',
      message: `today's limit of this app does not cover 1 more credit; it resets at ${resetsAt}`,
    });
    expect(exhausted(1).limitedBy).toBe('account');
  });

  it.each([
    { left: undefined, covered: false },
    { left: 0, covered: false },
    { left: 1, covered: false },
    { left: 2, covered: true },
    { left: 3, covered: true },
  ])('covers 2 by now is $covered when $left are left', ({ left, covered }) => {
    expect(exhausted(2, left).isCoveredByNow).toBe(covered);
  });
});

describe('a limit that is unknown', () => {
  it('is an error by its name', () => {
    expect(new LimitUnknownError('late')).toMatchObject({
      name: 'LimitUnknownError',
      message: 'late',
    });
  });
});
