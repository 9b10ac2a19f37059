import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '#libs/platform/testing';
import { EventStream } from './answer.js';

const LARGE = { text: 'x'.repeat(100_000) };

describe('an answer in events', () => {
  let server: Server;
  let client: Socket;
  let response: ServerResponse;
  let stream: EventStream;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    client.on('error', () => undefined);
    [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    stream = new EventStream(response);
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('begins with the first of them', () => {
    expect([stream.hasBegun, response.headersSent]).toEqual([false, false]);
    expect(stream.send({})).toBe(true);
    expect([stream.hasBegun, response.headersSent]).toEqual([true, true]);
  });

  it('keeps little for a reader that does not read, and still ends', async () => {
    client.pause();
    const sent = Array.from({ length: 200 }, () => stream.send(LARGE));
    expect(sent.filter(Boolean).length).toBeLessThan(200);
    expect(response.writableLength).toBeLessThan(300_000);
    expect(stream.keepAlive()).toBe(false);
    stream.end('{"last":1}');
    let read = '';
    client.setEncoding('utf8').on('data', (text: string) => (read += text));
    client.resume();
    await eventually(() => expect(read).toContain('data: {"last":1}\n\n'));
  });

  it('sends nothing after its end, nor when the client is gone', () => {
    stream.send({});
    stream.end();
    expect(stream.send({})).toBe(false);
    response.destroy();
    expect(stream.keepAlive()).toBe(false);
    stream.end('{"last":1}');
  });
});
