import { migrations } from '../../database.module.js';
import { migrationFindings, pendingMigrations } from './migrations.js';

describe('migrations', () => {
  const known = migrations.map((Migration) => new Migration().name);
  const plan = { known, runAtStart: true };
  const all = pendingMigrations([], plan);

  it('are all pending on an empty database, by name and in order', () => {
    expect(all.length).toBeGreaterThan(4);
    expect(
      [...migrationFindings([], plan)].map(({ severity, text }) => `${severity} ${text}`),
    ).toEqual(all.map((name) => `ok migration ${name} will run at the next start`));
  });

  it('names only those that did not run yet', () => {
    expect(pendingMigrations(all.slice(0, -1), plan)).toEqual(all.slice(-1));
  });

  it('warns of those that nobody runs at the start', () => {
    const [finding] = migrationFindings(all.slice(0, -1), { known, runAtStart: false });
    expect(finding).toMatchObject({ severity: 'warn', remedy: 'run gatehouse migrate' });
  });

  it('says that none is pending', () => {
    expect([...migrationFindings(all, plan)]).toEqual([
      { severity: 'ok', text: 'no migration is pending' },
    ]);
  });

  it('warns of a database that a newer version has changed', () => {
    const findings = [...migrationFindings([...all, 'Future0001Migration1'], plan)];
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'warn']);
    expect(findings[1]?.text).toContain('Future0001Migration1');
  });
});
