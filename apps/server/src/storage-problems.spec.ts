import { postgresProblem, redisProblem } from './storage-problems.js';

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
    const { text, remedy } = postgresProblem('db:5432', error);
    expect(text).toContain(words);
    expect(text).toContain('db:5432');
    expect(remedy).toBeTruthy();
  });
});

describe('an error of Redis', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'nothing listens there'],
    [{ message: 'WRONGPASS invalid username-password pair or user is disabled.' }, 'is wrong'],
    [{ message: 'NOAUTH Authentication required.' }, 'is wrong'],
    [{ message: "NOPERM this user has no permissions to run the 'info' command" }, 'may not'],
    [{ message: 'LOADING Redis is loading the dataset in memory' }, 'is reading its data'],
    [{ message: 'Command timed out' }, 'does not answer in time'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'has expired'],
  ])('%p is: %s', (error, words) => {
    const { text, remedy } = redisProblem('cache:6379', error, '~*');
    expect(text).toContain(words);
    expect(remedy).toBeTruthy();
  });
});
