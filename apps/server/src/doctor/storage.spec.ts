import { migrations } from '../database.module.js';
import { migrationFindings } from './storage.js';

describe('migrations', () => {
  const known = migrations.map((Migration) => `${new Migration().name}`);
  const plan = { known, runAtStart: true };

  it('are all pending on an empty database, by name and in order', () => {
    expect(known.length).toBeGreaterThan(4);
    expect(
      [...migrationFindings([], plan)].map(({ severity, text }) => `${severity} ${text}`),
    ).toEqual(known.map((name) => `ok migration ${name} will run at the next start`));
  });

  it('names only those that did not run yet', () => {
    const texts = [...migrationFindings(known.slice(0, -1), plan)].map(({ text }) => text);
    expect(texts).toEqual([`migration ${known.at(-1)} will run at the next start`]);
  });

  it('warns of pending ones that are not run at the start', () => {
    const [finding] = migrationFindings(known.slice(0, -1), { known, runAtStart: false });
    expect(finding).toMatchObject({ severity: 'warn', remedy: 'run gatehouse migrate' });
  });

  it('says that none is pending', () => {
    expect([...migrationFindings(known, plan)]).toEqual([
      { severity: 'ok', text: 'no migration is pending' },
    ]);
  });

  it('warns of a database that a newer version has changed', () => {
    const findings = [...migrationFindings([...known, 'Future0001Migration1'], plan)];
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'warn']);
    expect(findings[1]?.text).toContain('Future0001Migration1');
  });
});
