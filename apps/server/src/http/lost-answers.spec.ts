import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '../../../../test/support/eventually.js';
import { closeLostAnswers } from './lost-answers.js';

const COUNT = 5;
const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}';
const UPGRADE =
  'GET /tabs HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('answers of a connection that ends', () => {
  let server: Server;
  let answers: ServerResponse[];
  let closed: number;

  beforeEach(async () => {
    [answers, closed] = [[], 0];
    server = createServer((_request, response) => {
      answers.push(response);
      response.once('close', () => (closed += 1));
    });
    server.on('upgrade', (_request, socket) => socket.destroy());
    closeLostAnswers(server);
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
    ['by an upgrade', UPGRADE],
    ['by what is no HTTP', 'x\r\n\r\n'],
  ])('close once, all of them: %s', async (_how, last) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(POST.repeat(COUNT) + last);
    await eventually(() => expect(answers).toHaveLength(COUNT));
    client.destroy();
    await eventually(() => expect(closed).toBe(COUNT));
    expect(answers.every(({ destroyed }) => destroyed)).toBe(true);
  });
});
