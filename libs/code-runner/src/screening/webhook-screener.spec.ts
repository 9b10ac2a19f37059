import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { describeContentScreener } from './content-screener.contract.js';
import { ACCEPTED_TEXT, REFUSED_TEXT } from './screened-texts.testbed.js';
import { WebhookScreener } from './webhook-screener.js';

const CONTENT = { userId: 'ann', app: 'Robot', text: 'hello' };

describe('WebhookScreener', () => {
  let server: Server;
  let address: string;
  let screener: WebhookScreener;
  let answer: RequestListener;

  const open = (url: string) => {
    screener = new WebhookScreener(url);
    return screener;
  };
  const json = (body: string): RequestListener => {
    return (_request, response) => response.end(body);
  };

  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}/screen?team=a`;
  });
  afterEach(() => screener.onModuleDestroy());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describe('with a service that knows words', () => {
    beforeEach(() => {
      answer = async (request, response) => {
        const { text } = JSON.parse(await textOf(request)) as { text: string };
        response.end(JSON.stringify({ allowed: !text.includes(REFUSED_TEXT) }));
      };
      open(`http://${address}`);
    });

    describeContentScreener(() => screener, { accepted: ACCEPTED_TEXT, refused: REFUSED_TEXT });
  });

  it('says who wants to say what, with the credentials of the URL', async () => {
    const seen: [IncomingMessage, unknown][] = [];
    answer = async (request, response) => {
      seen.push([request, JSON.parse(await textOf(request))]);
      response.end('{"allowed":true}');
    };
    await open(`http://gate:s%40cret@${address}`).screen(CONTENT);
    expect(seen).toHaveLength(1);
    const [request, body] = seen[0] as [IncomingMessage, unknown];
    expect(body).toEqual(CONTENT);
    expect([request.method, request.url]).toEqual(['POST', '/screen?team=a']);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${btoa('gate:s@cret')}`,
    });
  });

  const failures: [string, RequestListener][] = [
    ['never answers', () => {}],
    ['never ends its answer', (_request, response) => response.write('{"allowed":')],
    [
      'drips',
      (_request, response) => {
        const dripping = setInterval(() => response.write(' '), 100);
        response.once('close', () => clearInterval(dripping));
      },
    ],
    ['hangs up', (request) => request.socket.destroy()],
    ['answers nothing', json('')],
    ['answers garbage', json('allowed')],
    ['answers null', json('null')],
    ['answers a list', json('[true]')],
    ['answers a word', json('{"allowed":"true"}')],
    ['answers something else', json('{"allow":true}')],
    ['answers too much', json(`{"allowed":true,"why":"${'x'.repeat(4_096)}"}`)],
    ['never stops', (_request, response) => endless(response)],
    ...[201, 204, 302, 307, 400, 500, 503].map((status): [string, RequestListener] => [
      `answers ${status}`,
      (request, response) => {
        if (request.url === '/elsewhere') return void response.end('{"allowed":true}');
        response.writeHead(status, { location: '/elsewhere' });
        response.end(status === 204 ? undefined : '{"allowed":true}');
      },
    ]),
  ];

  it.each(failures)('fails when the service %s', async (_what, listener) => {
    answer = listener;
    await expect(open(`http://${address}`).screen(CONTENT)).rejects.toMatchObject({
      message: expect.any(String),
    });
  });

  it('closes the connection when the call is cancelled', async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    answer = (request) => asked.resolve(request);
    const cancel = new AbortController();
    const screened = open(`http://${address}`).screen(CONTENT, cancel.signal);
    const { socket } = await asked.promise;
    const hungUp = once(socket, 'close');
    cancel.abort();
    await expect(screened).rejects.toMatchObject({ name: 'AbortError' });
    await hungUp;
  });

  it('fails when the port has no listener', async () => {
    const reserved = createTcpServer().listen(0, '127.0.0.1');
    await once(reserved, 'listening');
    const { port } = reserved.address() as AddressInfo;
    reserved.close();
    await once(reserved, 'close');
    await expect(open(`http://127.0.0.1:${port}/`).screen(CONTENT)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

function endless(response: Parameters<RequestListener>[1]) {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(1_024)));
  };
  response.on('drain', more);
  more();
}
