import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What each path shows; asked for again at every request. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

export const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): Page => ({
  status,
  type,
  body,
});

export const json = (value: unknown, status = 200): Page => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

/** Answers GET and HEAD of these very paths. `failed` hears of pages that could not be made. */
export function serve(pages: Pages, failed: (error: unknown) => void): RequestListener {
  return (request, response) => {
    const page = pageFor(pages, request);
    page.then(
      (found) => answer(request, response, found),
      (error: unknown) => {
        failed(error);
        answer(request, response, text('failed\n', 500));
      },
    );
  };
}

async function pageFor(pages: Pages, { url = '', method }: IncomingMessage): Promise<Page> {
  const [path = ''] = url.split('?');
  const make = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!make) return text('not found\n', 404);
  if (method !== 'GET' && method !== 'HEAD') return text('use GET\n', 405);
  return make();
}

function answer({ method }: IncomingMessage, response: ServerResponse, page: Page) {
  const { status, type, body } = page;
  const allow = status === 405 ? { Allow: 'GET, HEAD' } : {};
  response
    .writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...allow,
    })
    .end(method === 'HEAD' ? undefined : body);
}
