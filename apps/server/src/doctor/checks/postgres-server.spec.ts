import { type PostgresServer, postgresServerFindings } from './postgres-server.js';
import { postgresProbeError } from './postgres-probe-errors.js';

const HEALTHY: PostgresServer = {
  version: 150_004,
  isStandby: false,
  maxConnections: 97,
  statementTimeout: '5s',
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

  it('says for how many replicas it has room', () => {
    const texts = [...postgresServerFindings('db', HEALTHY, false)].map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringContaining('room for 8 replicas'));
  });

  it.each([
    [{ version: 120_010 }, 'warn version 12'],
    [{ isStandby: true }, 'FAIL it is a standby'],
    [{ isEncrypted: false }, 'warn the connection is not encrypted'],
    [{ isEncrypted: null }, 'warn the connection is not encrypted'],
    [{ maxConnections: 10 }, 'FAIL 10 connections are allowed'],
    [{ statementTimeout: '0' }, 'warn behind a pooler, a statement outside a transaction'],
  ])('with %p says %s', (changes, beginning) => {
    expect(complaints(changes)).toEqual([expect.stringContaining(beginning)]);
  });

  it('fails for a user that may not create the tables of pending migrations', () => {
    expect(complaints({ mayCreate: false }, 'db', true)).toEqual([
      'FAIL migrations are pending, but the user may not create tables',
    ]);
  });
});

describe('an error of PostgreSQL', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'nothing listens there'],
    [{ code: 'ENOTFOUND' }, 'the host name is unknown'],
    [{ code: '28P01' }, 'the password is wrong'],
    [{ code: '3D000' }, 'the database does not exist'],
    [{ code: '53300' }, 'no connection left'],
    [{ code: '08P01', message: 'unsupported startup parameter: options' }, 'PgBouncer'],
    [{ message: 'The server does not support SSL connections' }, 'does not speak TLS'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'is self-signed'],
    [{ message: 'timeout expired' }, 'does not answer in time'],
    [{ code: 'XX000' }, 'refuses: XX000'],
  ])('%p is: %s', (error, words) => {
    const { severity, text, remedy } = postgresProbeError('db:5432', error);
    expect({ severity, text }).toEqual({ severity: 'FAIL', text: expect.stringContaining(words) });
    expect(text).toContain('db:5432');
    expect(remedy).toBeDefined();
  });
});
