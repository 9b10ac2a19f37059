import { parseSentinelUrl, placeOf } from './redis-url.js';

describe('the address of a Redis that Sentinels know', () => {
  it('has Sentinels and the name of the primary, the usual port and database', () => {
    expect(parseSentinelUrl('redis+sentinel://one,two:1,[::1]:2/my-primary.1')).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 1 },
        { host: '::1', port: 2 },
      ],
      name: 'my-primary.1',
      db: 0,
    });
  });

  it('has what each asks for, and TLS for all', () => {
    const url =
      'rediss+sentinel://gate:p%40ss%2Bw@one/main/3?sentinel_username=watch&sentinel_password=s%26s';
    expect(parseSentinelUrl(url)).toEqual({
      sentinels: [{ host: 'one', port: 26_379 }],
      name: 'main',
      db: 3,
      username: 'gate',
      password: 'p@ss+w',
      sentinelUsername: 'watch',
      sentinelPassword: 's&s',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
    expect(parseSentinelUrl('redis+sentinel://:%zz@one/main')).toMatchObject({ password: '%zz' });
  });

  it.each([
    'redis://one/main',
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel:///main',
    'redis+sentinel://one,/main',
    'redis+sentinel://one:65536/main',
    'redis+sentinel://one two/main',
    'redis+sentinel://one/main/x',
    'redis+sentinel://one/main/3/4',
    'redis+sentinel://one/main?db=3',
    'redis+sentinel://one/ma in',
    'redis+sentinel://a:b:c@one/main@two',
  ])('is not %s', (url) => {
    expect(parseSentinelUrl(url)).toBeUndefined();
  });

  it('is told without passwords', () => {
    expect(placeOf('redis+sentinel://u:secret@one:1,two/main?sentinel_password=secret')).toBe(
      'main (by Sentinel at one:1, two:26379)',
    );
    expect(placeOf('rediss://u:secret@cache:6379/2')).toBe('cache:6379');
  });
});
