import { refusedWrite } from './refused-write.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
const coded = (code: string) => Object.assign(new Error('failed'), { code });

describe('a write that was refused', () => {
  it.each([
    ['full', coded('53100')],
    ['full', coded('SQLITE_FULL')],
    ['full', reply("OOM command not allowed when used memory > 'maxmemory'.")],
    [
      'full',
      reply(
        'ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed when used',
      ),
    ],
    ['read-only', coded('25006')],
    ['read-only', coded('SQLITE_READONLY_DIRECTORY')],
    ['read-only', reply("READONLY You can't write against a read only replica.")],
    ['io', coded('58030')],
    ['io', coded('SQLITE_IOERR_WRITE')],
    ['io', reply('MISCONF Redis is configured to save RDB snapshots')],
  ])('is for a store that is %s: %s', (reason, error) => {
    expect(refusedWrite(error)).toBe(reason);
  });

  it.each([
    coded('23505'),
    coded('ECONNREFUSED'),
    reply('NOAUTH Authentication required.'),
    new Error('OOM command not allowed'),
    undefined,
    'OOM',
  ])('is no other failure: %s', (error) => {
    expect(refusedWrite(error)).toBeUndefined();
  });
});
