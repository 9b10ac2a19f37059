import { clockFinding } from './clock.js';

describe('the clock of a server', () => {
  it.each([
    [10_000, 'ok'],
    [11_900, 'ok'],
    [8_100, 'ok'],
    [12_500, 'warn'],
    [7_000, 'warn'],
  ])('at %d ms, when ours says 10000, is %s', (theirs, severity) => {
    expect(clockFinding('it', { theirs, asked: 10_000, answered: 10_000 }).severity).toBe(severity);
  });

  it('is not blamed for what the question was under way', () => {
    expect(clockFinding('it', { theirs: 12_000, asked: 6_000, answered: 12_000 }).severity).toBe(
      'ok',
    );
  });

  it('says which side it is off, and by how much', () => {
    const at = (theirs: number) =>
      clockFinding('Redis', { theirs, asked: 10_000, answered: 10_000 }).text;
    expect(at(70_000)).toBe("the clock of Redis is 60.0 s ahead of this machine's");
    expect(at(0)).toBe("the clock of Redis is 10.0 s behind this machine's");
  });
});
