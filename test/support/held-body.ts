import { once } from 'node:events';
import { request } from 'node:http';
import type { Browser } from './browser.js';
import type { Gatehouse } from './gatehouse.js';

/**
 * A browser's request, a POST by default, whose last byte is withheld. When this resolves, everything else has been
 * sent; the caller has to find out whether the service has processed it.
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
    /** Sends the last byte and returns the answer's status and text. */
    async finish(): Promise<{ status: number; text: string }> {
      sending.end(body.slice(-1));
      const [answer] = await answered;
      const chunks: Buffer[] = await answer.toArray();
      return { status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') };
    },
  };
}
