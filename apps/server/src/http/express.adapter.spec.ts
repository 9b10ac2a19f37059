import { hasLongQuery } from './express.adapter.js';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=${n}`).join('&');

describe('a query', () => {
  it.each([
    ['no query', '/path&'.repeat(100)],
    ['64 parameters', `/?${numbered(64)}`],
    ['64 with nothing around them', `/?&&${numbered(64)}&&`],
    ['one with a long value', `/?p=${'?x='.repeat(5_000)}`],
  ])('is not long: %s', (_what, target) => {
    expect(hasLongQuery(target)).toBe(false);
  });

  it.each([
    ['65', numbered(65)],
    ['65 of one name', 'p=1&'.repeat(65)],
    ['65 without values', 'p&'.repeat(65)],
    ['65 without names', '=&'.repeat(65)],
    ['as many as fit into a request', 'p&'.repeat(8_000)],
  ])('is long: %s', (_what, query) => {
    expect(hasLongQuery(`/svc/auth/me?${query}`)).toBe(true);
  });
});
