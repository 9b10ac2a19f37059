import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { headerValues } from './header-values.js';

describe('the values of a header', () => {
  const valuesIn = (...rawHeaders: string[]) =>
    headerValues(Object.assign(new IncomingMessage(new Socket()), { rawHeaders }), 'host');

  it.each([
    [['Host', 'a'], ['a']],
    [
      ['HOST', 'a', 'x', 'host', 'host', 'b'],
      ['a', 'b'],
    ],
    [['host', ''], ['']],
    [['hosts', 'a', 'hos', 'b', 'x', 'host'], []],
    [[], []],
  ])('are those of that name only: %j', (raw, values) => {
    expect(valuesIn(...raw)).toEqual(values);
  });
});
