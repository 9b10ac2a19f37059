import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { LoadShedder } from '#libs/platform';
import { admission } from './admission.middleware.js';

describe('a request whose client is gone', () => {
  let load: LoadShedder;
  let response: ServerResponse;

  beforeEach(() => {
    jest.useFakeTimers();
    load = new LoadShedder();
    const request = Object.assign(new IncomingMessage(new Socket()), { ips: [] });
    response = new ServerResponse(request);
    admission(load)(request as unknown as Request, response as Response, () => undefined);
    response.destroy().emit('close');
    expect(load.atWork).toBe(1);
  });
  afterEach(() => jest.useRealTimers());

  it('counts until its handler answers', () => {
    response.end();
    expect(load.atWork).toBe(0);
  });

  it('counts for a second where its handler gives no answer', () => {
    jest.advanceTimersByTime(1_000);
    expect(load.atWork).toBe(0);
  });
});
