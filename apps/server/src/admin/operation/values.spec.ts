import { digits } from './input.js';
import { parseRows, parseTime } from './values.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('values of administration', () => {
  it('a limit is a whole number from 1 to 1000', () => {
    expect(['1', '50', '1000'].map(parseRows)).toEqual([1, 50, 1000]);
    for (const text of ['0', '1001', '-1', '1.5', '1e2', '', ' 5', '0x10', 'all']) {
      expect([text, parseRows(text)]).toEqual([text, undefined]);
    }
  });

  it('digits are a whole number, and any other text stays one', () => {
    expect(['0', '1', '10000'].map(digits)).toEqual([0, 1, 10_000]);
    for (const text of ['-1', '1.5', '1e2', '', ' 5', '0x10', 'all', '12345678901']) {
      expect(digits(text)).toBe(text);
    }
  });

  it.each([
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['24h', '2026-11-21T12:00:00.000Z'],
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T09:30Z', '2026-11-01T09:30:00.000Z'],
    ['2026-11-01T09:30:15.5+02:00', '2026-11-01T07:30:15.500Z'],
  ])('%s is a time', (text, at) => {
    expect(parseTime(text, 'ago', NOW)).toBe(Date.parse(at));
  });

  it('a duration counts from now on too', () => {
    expect(parseTime('90m', 'from-now', NOW)).toBe(Date.parse('2026-11-22T13:30:00Z'));
  });

  it.each(['', 'yesterday', '7', '7w', '-7d', '7d7d', '2026-13-01', '2026-11-01T09:30', '1e3d'])(
    '"%s" is refused',
    (text) => {
      expect(parseTime(text, 'ago', NOW)).toBeUndefined();
    },
  );
});
