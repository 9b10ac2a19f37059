import { isRedisOutage } from './redis-outage.js';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const network = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const redisReply = (message: string) => named('ReplyError', message);
const titled = (errors: Error[]) => errors.map((error) => ({ title: String(error), error }));

describe('isRedisOutage', () => {
  const outages = [
    named('MaxRetriesPerRequestError', 'Reached the max retries per request limit (which is 0).'),
    named('AbortError', 'Command aborted due to connection close'),
    new Error('Command timed out'),
    new Error('Connection is closed.'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    network('ECONNREFUSED'),
    network('ECONNRESET'),
    network('ENOTFOUND'),
    network('EPIPE'),
    network('ETIMEDOUT'),
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    redisReply("READONLY You can't write against a read only replica."),
    redisReply("OOM command not allowed when used memory > 'maxmemory'."),
    redisReply('LOADING Redis is loading the dataset in memory'),
    redisReply("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
    redisReply('MISCONF Redis is configured to save RDB snapshots, but it cannot.'),
    redisReply('NOREPLICAS Not enough good replicas to write.'),
    redisReply('CLUSTERDOWN The cluster is down'),
    redisReply('BUSY Redis is busy running a script.'),
    redisReply('ERR max number of clients reached'),
    redisReply(
      "ERR Error running script (call to f_0): @user_script:2: -OOM command not allowed when used memory > 'maxmemory'.",
    ),
  ];

  it.each(titled(outages))('is true of $title', ({ error }) => {
    expect(isRedisOutage(error)).toBe(true);
  });

  const others = [
    redisReply('WRONGTYPE Operation against a key holding the wrong kind of value'),
    redisReply('ERR unknown command'),
    redisReply('ERR READONLY in the middle'),
    redisReply('NOSCRIPT No matching script.'),
    redisReply('NOAUTH Authentication required.'),
    redisReply('OOMPH is no code of Redis'),
    new Error('READONLY said by another library'),
    new TypeError('Command timed out, or so'),
    network('ENOENT'),
    Object.assign(new Error('numbers are no codes'), { code: 111 }),
  ];

  it.each(titled(others))('is false of $title', ({ error }) => {
    expect(isRedisOutage(error)).toBe(false);
  });

  it.each(['Command timed out', { name: 'MaxRetriesPerRequestError' }, undefined, null])(
    'is false of %p',
    (error) => {
      expect(isRedisOutage(error)).toBe(false);
    },
  );
});
