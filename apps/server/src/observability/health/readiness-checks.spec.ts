import { ReadinessChecks } from './readiness-checks.js';

const answers = async () => 'PONG';

describe('readiness checks of a team', () => {
  it.each(['', 'Stock', '1st', 'a b', 'a"b', 'x'.repeat(33)])('cannot be named "%s"', (name) => {
    expect(() => new ReadinessChecks().add(name, answers)).toThrow('cannot be the name');
  });

  it.each(['database', 'redis', 'stock'])('are there once: "%s"', (name) => {
    const checks = new ReadinessChecks();
    checks.add('stock', answers);
    expect(() => checks.add(name, answers)).toThrow(`there is a readiness check "${name}" already`);
  });

  it('are down where the probe throws before it waits', async () => {
    const checks = new ReadinessChecks();
    checks.add('stock', () => {
      throw new Error('not even begun');
    });
    expect(await Promise.all(checks.all.map((one) => one.check()))).toMatchObject([
      { status: 'down' },
    ]);
  });
});
