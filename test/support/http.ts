import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  /** Sent as it is; a list is sent in chunks, without a `Content-Length`. */
  readonly body?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Closes the connection when aborted. */
  readonly signal?: AbortSignal | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request to 127.0.0.1 with full control over its headers; a header of `[]` is omitted. */
export function call(port: number, { body, headers = {}, ...target }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = send({ host: '127.0.0.1', port, agent, headers, ...target }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = <T>() => JSON.parse(text) as T;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
      });
    });
    sending.on('error', reject);
    if (Array.isArray(body)) for (const chunk of body as (string | Buffer)[]) sending.write(chunk);
    sending.end(Array.isArray(body) ? undefined : body);
  });
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; of two headers with the same name the last one counts. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/**
 * Sends these bytes, which need not be a valid HTTP request, and reads until the server closes the connection; so
 * send `Connection: close`.
 */
export async function exchange(
  port: number,
  request: string,
  host = '127.0.0.1',
): Promise<RawAnswer> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await once(socket, 'connect');
  socket.write(request, 'latin1');
  try {
    return parse(await textOf(socket));
  } finally {
    socket.destroy();
  }
}

/** A request that consists of header lines only. */
export const requestHead = (requestLine: string, ...headers: string[]) =>
  [requestLine, ...headers, 'Connection: close', '', ''].join('\r\n');

function parse(answer: string): RawAnswer {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    text: body.join('\r\n\r\n'),
  };
}
