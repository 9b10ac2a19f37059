import type { Request, Response } from 'express';
import { ownOriginMiddleware, ownOriginOf } from './own-origin.middleware.js';

const PUBLIC = ['https://gate.example', 'http://localhost:3000'];

interface Sent {
  readonly protocol?: string;
  readonly host?: string;
  readonly hosts?: readonly string[];
  readonly url?: string;
}

describe('the origin of a request', () => {
  const middleware = ownOriginMiddleware(PUBLIC);

  function outcome({ protocol = 'https', host = 'gate.example', hosts = [host], url = '/' }: Sent) {
    const rawHeaders = hosts.flatMap((each) => ['Host', each]);
    const request = { protocol, host, rawHeaders, url } as unknown as Request;
    let answered: number | string | undefined;
    const response = {
      status: (status: number) => {
        answered = status;
        return response;
      },
      type: () => response,
      send: () => response,
    };
    middleware(request, response as unknown as Response, () => {
      answered = ownOriginOf(request).origin;
    });
    return answered;
  }

  it.each([1, 2])('is the same each time it is asked for: %i', () => {
    expect(outcome({})).toBe('https://gate.example');
    expect(outcome({ host: 'GATE.example:443' })).toBe('https://gate.example');
    expect(outcome({ protocol: 'http' })).toBe(421);
    expect(outcome({ protocol: 'http', host: 'localhost:3000' })).toBe('http://localhost:3000');
    expect(outcome({ protocol: 'https', host: 'localhost:3000' })).toBe(421);
    expect(outcome({ host: 'evil.example' })).toBe(421);
    expect(outcome({ protocol: 'HTTPS' })).toBe('https://gate.example');
    expect(outcome({ protocol: 'wss' })).toBe('https://gate.example');
    expect(outcome({ protocol: 'WS', host: 'localhost:3000' })).toBe('http://localhost:3000');
    expect(outcome({ protocol: 'ws' })).toBe(421);
    expect(outcome({ protocol: 'ftp' })).toBe(400);
    expect(outcome({ protocol: 'wsss' })).toBe(400);
    expect(outcome({ host: 'gate.example', hosts: ['gate.example', 'gate.example'] })).toBe(400);
    expect(outcome({ hosts: [] })).toBe(400);
    expect(outcome({ url: '*' })).toBe(400);
  });

  it('stays what it is, whatever else was sent before', () => {
    for (let n = 0; n < 1_000; n += 1) expect(outcome({ host: `evil-${n}.example` })).toBe(421);
    expect(outcome({})).toBe('https://gate.example');
  });
});
