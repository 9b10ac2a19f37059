import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { eventually } from '#libs/platform/testing';
import { DrainingAdapter } from './shutdown.js';

describe('answers of a connection that ends', () => {
  const COUNT = 5;
  const SMALL_POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}';
  const TAB = 'GET /tabs HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  let server: Server;
  let answers: ServerResponse[];
  let closed: number;

  beforeEach(async () => {
    [answers, closed] = [[], 0];
    const unanswered = express().use((_request, response) => {
      answers.push(response);
      response.once('close', () => (closed += 1));
    });
    const adapter = new DrainingAdapter(unanswered, 1_000);
    adapter.initHttpServer({});
    server = adapter.getHttpServer() as Server;
    server.on('upgrade', (_request, socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  it.each([
    ['by itself', ''],
    ['by CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['by an upgrade', TAB],
    ['by what is no HTTP', 'x\r\n\r\n'],
  ])('close once, all of them: %s', async (_how, last) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(SMALL_POST.repeat(COUNT) + last);
    await eventually(() => expect(answers).toHaveLength(COUNT));
    client.destroy();
    await eventually(() => expect(closed).toBe(COUNT));
    expect(answers.every(({ destroyed }) => destroyed)).toBe(true);
  });
});
