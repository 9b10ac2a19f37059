import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { onExchangeEnd } from './exchange-end.js';

describe('the end of an exchange', () => {
  let response: ServerResponse;
  let ended: number[];

  const listen = (one: number) => onExchangeEnd(response, () => ended.push(one));

  beforeEach(() => {
    response = new ServerResponse(new IncomingMessage(new Socket()));
    ended = [];
  });

  it('is told once to all who listen', () => {
    listen(1);
    listen(2);
    response.emit('close');
    response.emit('close');
    expect(ended).toEqual([1, 2]);
  });

  it('is told at once when it is over: answers that wait behind others are never "closed"', () => {
    response.destroy().emit('close');
    expect(response.closed).toBe(false);
    listen(1);
    expect(ended).toEqual([1]);
  });
});
