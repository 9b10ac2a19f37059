import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { selfSignedCertificate } from '#libs/platform/testing';
import type { DeliveredEvent } from './event-sink.js';
import { WebhookSink } from './webhook-sink.js';

const DOCUMENT = new URL('../../../../docs/reference/events.md', import.meta.url);

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
const OLD = secretOf('a secret of twenty-four!');
const NEW = secretOf('another one, of sixty-four bytes, which is as long as it may be!');

const EVENT = {
  id: '019aa9f2-5d1e-7c30-8f4a-1b2c3d4e5f60',
  type: 'sign-in',
  timestamp: '2026-11-22T09:30:00.000Z',
  data: { id: '019aa9f2-5d1e-7c30-8f4a-1b2c3d4e5f60', user: 'ann', detail: 'ünï\u2028cødé 😀' },
} as unknown as DeliveredEvent;

describe('WebhookSink', () => {
  let server: Server;
  let origin: string;
  let sink: WebhookSink;
  let answer: RequestListener;

  const deliver = (secrets: string[] = [OLD], path = '/hook?team=a', ms = 2_500) => {
    sink = new WebhookSink({ url: `${origin}${path}`, secrets });
    return sink.deliver(EVENT, AbortSignal.timeout(ms));
  };
  const seen = async (secrets: string[]) => {
    const requests: { request: IncomingMessage; body: string }[] = [];
    answer = async (request, response) => {
      requests.push({ request, body: await textOf(request) });
      response.writeHead(204).end();
    };
    await deliver(secrets);
    expect(requests).toHaveLength(1);
    return requests[0] as (typeof requests)[0];
  };

  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => sink.onApplicationShutdown());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('posts what the Standard Webhooks library verifies with each secret', async () => {
    const { request, body } = await seen([NEW, OLD]);
    expect([request.method, request.url]).toEqual(['POST', '/hook?team=a']);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': EVENT.id,
    });
    for (const secret of [OLD, NEW]) {
      const verified = new Webhook(secret).verify(body, request.headers as Record<string, string>);
      const { id: _id, ...payload } = EVENT;
      expect(verified).toEqual(payload);
    }
  });

  it('signs as docs/reference/events.md shows it', async () => {
    const page = await readFile(DOCUMENT, 'utf8');
    const [, head = '', body = ''] = /```http\n(.+?)\n\n(.+?)\n```/s.exec(page) ?? [];
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
    const [secret = ''] = /whsec_\w+/.exec(page) ?? [];
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new Webhook(secret).sign(headers['webhook-id'], at, body);
    expect(headers['webhook-signature']).toBe(signature);
    expect(Object.keys(JSON.parse(body))).toEqual(['type', 'timestamp', 'data']);
  });

  it('is refused by who has another secret, or was given another body or id', async () => {
    const { request, body } = await seen([NEW]);
    const headers = request.headers as Record<string, string>;
    expect(() => new Webhook(OLD).verify(body, headers)).toThrow();
    expect(() => new Webhook(NEW).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(NEW).verify(body, { ...headers, 'webhook-id': 'x' })).toThrow();
  });

  it('has no header of a request, and no secret', async () => {
    const { request, body } = await seen([NEW]);
    const all = JSON.stringify(request.headers) + body;
    expect(Object.keys(request.headers).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
    expect(all).not.toContain(NEW.slice('whsec_'.length));
  });

  it.each([200, 201, 202, 204])('%d is taken', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(deliver()).resolves.toBeUndefined();
  });

  it.each([301, 302, 307, 308])(
    '%d is a failure, and the redirect is not followed',
    async (status) => {
      const asked: unknown[] = [];
      answer = ({ url }, response) => {
        asked.push(url);
        response.writeHead(status, { location: `${origin}/elsewhere` }).end();
      };
      await expect(deliver()).rejects.toThrow(`the webhook answered ${status}`);
      expect(asked).toEqual(['/hook?team=a']);
    },
  );

  it.each([400, 401, 404, 410, 500, 503])('%d is a failure', async (status) => {
    answer = (_request, response) =>
      response.writeHead(status, { 'retry-after': '7' }).end('secret');
    await expect(deliver()).rejects.toMatchObject({
      message: `the webhook answered ${status}`,
      retryAfterMs: 7_000,
    });
  });

  it.each([
    ['never stops', (response: Parameters<RequestListener>[1]) => endless(response)],
    ['never ends', (response: Parameters<RequestListener>[1]) => response.write('.')],
    [
      'claims to be huge',
      (response: Parameters<RequestListener>[1]) => {
        response.setHeader('content-length', 1e12);
        response.write('.');
      },
    ],
  ])('an answer of 200 counts whose body %s, and its connection is closed', async (_what, body) => {
    const closed = Promise.withResolvers<void>();
    answer = (request, response) => {
      request.socket.once('close', () => closed.resolve());
      body(response);
    };
    await expect(deliver()).resolves.toBeUndefined();
    await closed.promise;
  });

  it('an answer of 200 counts that came in time, though its body is cut off by the end of it', async () => {
    answer = (_request, response) => response.write('.');
    await expect(deliver([OLD], '/', 500)).resolves.toBeUndefined();
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'hangs up',
      (request) => request.socket.destroy(),
      /could not be asked \((UND_ERR_SOCKET|ECONNRESET)\)$/,
    ],
    [
      'is no HTTP',
      (request) => void request.socket.end('SSH-2.0\r\n'),
      /could not be asked( \(\w+\))?$/,
    ],
    [
      'sends endless headers',
      (request) => {
        request.socket.write('HTTP/1.1 200 OK\r\n');
        const line = `x: ${'y'.repeat(1_000)}\r\n`;
        for (let n = 0; n < 100; n += 1) request.socket.write(line);
      },
      /could not be asked \(UND_ERR_HEADERS_OVERFLOW\)$/,
    ],
    ['never answers', () => {}, /gave no answer in time$/],
  ])(
    'a receiver that %s is a failure in words without an address',
    async (_what, listener, words) => {
      answer = listener;
      await expect(deliver([OLD], '/', 500)).rejects.toThrow(words);
    },
  );

  it('goes on after its library could not be loaded once', async () => {
    // A copy of its own: a module that has loaded the library does not load it again.
    const copy = new URL('./webhook-sink.ts?1', import.meta.url).href;
    const { WebhookSink: Copy } = (await import(copy)) as { WebhookSink: typeof WebhookSink };
    answer = (_request, response) => response.writeHead(204).end();
    sink = new Copy({ url: origin, secrets: [OLD] });
    const delivered = () => sink.deliver(EVENT, AbortSignal.timeout(2_500));
    const hooks = registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'undici') throw new Error('too many open files');
        return next(specifier, context);
      },
    });
    await expect(delivered()).rejects.toThrow('too many open files');
    hooks.deregister();
    await expect(delivered()).resolves.toBeUndefined();
  });

  it('an untrusted certificate is a failure, before anything is sent', async () => {
    const { certificate: cert, privateKey: key } = selfSignedCertificate(['localhost']);
    let connections = 0;
    const impostor = createTlsServer({ cert, key }, () => (connections += 1));
    impostor.listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    sink = new WebhookSink({ url: `https://localhost:${port}/`, secrets: [OLD] });
    const refused = sink.deliver(EVENT, AbortSignal.timeout(2_000));
    await expect(refused).rejects.toThrow(/could not be asked \(\w*SELF_SIGNED\w*\)$/);
    expect(connections).toBe(0);
    impostor.close();
  });

  it('a port without a listener is a failure that names the cause', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    sink = new WebhookSink({ url: `http://127.0.0.1:${port}/`, secrets: [OLD] });
    const refused = sink.deliver(EVENT, AbortSignal.timeout(2_000));
    await expect(refused).rejects.toThrow(/^the webhook could not be asked \(ECONNREFUSED\)$/);
  });
});

function endless(response: Parameters<RequestListener>[1]) {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(1_024)));
  };
  response.on('drain', more);
  more();
}
