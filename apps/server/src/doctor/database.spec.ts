import { migrations } from '../database.module.js';
import { migrationFindings, postgresServerFindings, type PostgresServer } from './database.js';

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

const HEALTHY: PostgresServer = {
  isStandby: false,
  maxConnections: 97,
  isEncrypted: true,
  mayCreate: true,
};

const complaints = (changes: Partial<PostgresServer>, host = 'db:5432', hasPending = false) =>
  [...postgresServerFindings(host, { ...HEALTHY, ...changes }, hasPending)]
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, text }) => `${severity} ${text}`);

describe('a PostgreSQL server', () => {
  it('is right as it should be', () => {
    expect(complaints({})).toEqual([]);
    expect(complaints({ isEncrypted: false }, 'localhost:5432')).toEqual([]);
    expect(complaints({ mayCreate: false })).toEqual([]);
  });

  it.each([
    [{ isStandby: true }, 'FAIL it is a standby'],
    [{ isEncrypted: false }, 'warn the connection is not encrypted'],
    [{ isEncrypted: null }, 'warn the connection is not encrypted'],
    [{ maxConnections: 10 }, 'FAIL 10 connections are allowed'],
  ])('with %p says %s', (changes, beginning) => {
    expect(complaints(changes)).toEqual([expect.stringContaining(beginning)]);
  });

  it('fails for a user that may not create the tables of pending migrations', () => {
    expect(complaints({ mayCreate: false }, 'db', true)).toEqual([
      'FAIL migrations are pending, but the user may not create tables',
    ]);
  });
});
