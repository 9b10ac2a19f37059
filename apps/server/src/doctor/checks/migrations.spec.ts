import { migrationFindings, pendingMigrations } from './migrations.js';

describe('migrations', () => {
  const all = pendingMigrations([]);

  it('are all pending on an empty database, by name and in order', () => {
    expect(all.length).toBeGreaterThan(4);
    expect([...migrationFindings([])].map(({ severity, text }) => `${severity} ${text}`)).toEqual(
      all.map((name) => `ok migration ${name} will run at the next start`),
    );
  });

  it('names only those that did not run yet', () => {
    expect(pendingMigrations(all.slice(0, -1))).toEqual(all.slice(-1));
  });

  it('says that none is pending', () => {
    expect([...migrationFindings(all)]).toEqual([
      { severity: 'ok', text: 'no migration is pending' },
    ]);
  });

  it('warns of a database that a newer version has changed', () => {
    const findings = [...migrationFindings([...all, 'Future0001Migration1'])];
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'warn']);
    expect(findings[1]?.text).toContain('Future0001Migration1');
  });
});
