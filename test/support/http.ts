import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';

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
  /** Sent as it is; a list goes out in chunks, without a `Content-Length`. */
  readonly body?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Hangs up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request to 127.0.0.1, with full say over its headers; a header of `[]` is left out. */
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
