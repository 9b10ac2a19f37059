import { type IncomingHttpHeaders, type IncomingMessage, request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { isJsonObject, parseJson } from '#libs/platform';

export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** When the certificate of an https server expires. */
  readonly certificateEnds?: Date;
}

/** Sends a question to the service: directly to an origin, or with the headers of a proxy. */
export type Ask = (question: Question) => Promise<Answer>;

const LIMIT_MS = 4_000;
const MAX_BODY_BYTES = 1_048_576;

/** Sends questions to the server at `base`; `headers` go with each. Follows no redirect and reuses no connection. */
export const askAt =
  (base: string, headers: Readonly<Record<string, string>> = {}): Ask =>
  (question) =>
    exchange(new URL(question.path, base), {
      ...question,
      headers: { ...question.headers, ...headers },
    });

function exchange(url: URL, { method, headers, body }: Question): Promise<Answer> {
  const send = url.protocol === 'https:' ? askHttps : askHttp;
  return new Promise((resolve, reject) => {
    const sending = send(url, {
      method,
      headers: { 'User-Agent': 'gatehouse-doctor', ...headers },
      agent: false,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    sending.on('response', (incoming) => readAnswer(incoming).then(resolve, reject));
    sending.on('upgrade', (incoming, socket) => {
      socket.destroy();
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: '' });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers, socket } = incoming;
  const ends =
    socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status, headers, text, ...(ends && { certificateEnds: ends }) };
}

/** The members of a JSON object; none for any other text. */
export function membersOf({ text }: Answer): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
