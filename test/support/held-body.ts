import { once } from 'node:events';
import { request } from 'node:http';
import type { Browser } from './browser.js';
import type { Gatehouse } from './gatehouse.js';

/**
 * A request of a browser, a POST unless told otherwise, whose last byte is kept back. Everything else was sent when this resolves; whether the
 * service has looked at it already, the caller has to find out.
 */
export async function holdBody(
  { port, origin }: Pick<Gatehouse, 'port' | 'origin'>,
  browser: Browser,
  path: string,
  {
    method = 'POST',
    type,
    body,
    headers = {},
  }: {
    readonly method?: string;
    readonly type: string;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
) {
  const sending = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: {
      host: new URL(origin).host,
      'content-type': type,
      'content-length': String(Buffer.byteLength(body)),
      ...(browser.cookie === undefined ? {} : { cookie: browser.cookie }),
      ...headers,
    },
  });
  const answered = once(sending, 'response');
  answered.catch(() => undefined);
  await new Promise<void>((resolve) => {
    sending.write(body.slice(0, -1), () => resolve());
  });
  return {
    /** Sends the last byte and returns status and text of the answer. */
    async finish(): Promise<{ status: number; text: string }> {
      sending.end(body.slice(-1));
      const [answer] = await answered;
      const chunks: Buffer[] = await answer.toArray();
      return { status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') };
    },
  };
}
