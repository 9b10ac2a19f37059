import { isRedisOutage } from './redis-outage.js';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const coded = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const reply = (message: string) => named('ReplyError', message);
const titled = (errors: Error[]) => errors.map((error) => ({ title: String(error), error }));

describe('isRedisOutage', () => {
  const outages = [
    named('MaxRetriesPerRequestError', 'Reached the max retries per request limit (which is 0).'),
    named('AbortError', 'Command aborted due to connection close'),
    new Error('Command timed out'),
    new Error('Connection is closed.'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('ENOTFOUND'),
    coded('EPIPE'),
    coded('ETIMEDOUT'),
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    reply("READONLY You can't write against a read only replica."),
    reply("OOM command not allowed when used memory > 'maxmemory'."),
    reply('LOADING Redis is loading the dataset in memory'),
    reply("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
    reply('MISCONF Redis is configured to save RDB snapshots, but it cannot.'),
    reply('NOREPLICAS Not enough good replicas to write.'),
    reply('CLUSTERDOWN The cluster is down'),
    reply('BUSY Redis is busy running a script.'),
    reply('ERR max number of clients reached'),
    reply(
      "ERR Error running script (call to f_0): @user_script:2: -OOM command not allowed when used memory > 'maxmemory'.",
    ),
  ];

  it.each(titled(outages))('is true of $title', ({ error }) => {
    expect(isRedisOutage(error)).toBe(true);
  });

  const others = [
    reply('WRONGTYPE Operation against a key holding the wrong kind of value'),
    reply('ERR unknown command'),
    reply('ERR READONLY in the middle'),
    reply('NOSCRIPT No matching script.'),
    reply('NOAUTH Authentication required.'),
    reply('OOMPH is no code of Redis'),
    new Error('READONLY said by somebody else'),
    new TypeError('Command timed out, or so'),
    coded('ENOENT'),
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
