import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; of two headers with one name the last counts. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/**
 * Sends these bytes, be they an HTTP request or not, and reads until the server hangs up; so ask for
 * `Connection: close`.
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
    return parse(await text(socket));
  } finally {
    socket.destroy();
  }
}

/** A request of header lines only. */
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
