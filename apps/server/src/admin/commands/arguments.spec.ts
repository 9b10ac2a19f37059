import {
  ArgumentError,
  parseFutureTime,
  parseLimit,
  parsePastTime,
  parseUses,
} from './arguments.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const since = (text: string) => parsePastTime('--since', text, NOW);

describe('arguments of the command line', () => {
  it('a limit is a whole number from 1 to 1000', () => {
    expect(['1', '50', '1000'].map(parseLimit)).toEqual([1, 50, 1000]);
    for (const text of ['0', '1001', '-1', '1.5', '1e2', '', ' 5', '0x10', 'all']) {
      expect(() => parseLimit(text)).toThrow(ArgumentError);
    }
  });

  it('uses are a whole number', () => {
    expect(['0', '1', '10000'].map(parseUses)).toEqual([0, 1, 10_000]);
    for (const text of ['-1', '1.5', '1e2', '', ' 5', '0x10', 'all']) {
      expect(() => parseUses(text)).toThrow(ArgumentError);
    }
  });

  it('an end is a time, or a duration from now on', () => {
    const end = (text: string) => new Date(parseFutureTime('--expires', text, NOW)).toISOString();
    expect(end('90m')).toBe('2026-11-22T13:30:00.000Z');
    expect(end('2026-12-01')).toBe('2026-12-01T00:00:00.000Z');
    expect(() => end('soon')).toThrow('--expires takes a time');
  });

  it.each([
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['24h', '2026-11-21T12:00:00.000Z'],
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T09:30Z', '2026-11-01T09:30:00.000Z'],
    ['2026-11-01T09:30:15.5+02:00', '2026-11-01T07:30:15.500Z'],
  ])('%s is a time', (text, at) => {
    expect(new Date(since(text)).toISOString()).toBe(at);
  });

  it.each(['', 'yesterday', '7', '7w', '-7d', '7d7d', '2026-13-01', '2026-11-01T09:30', '1e3d'])(
    '"%s" is none',
    (text) => {
      expect(() => since(text)).toThrow('--since takes a time');
    },
  );
});
