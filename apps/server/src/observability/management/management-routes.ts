import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ApiAnswer } from '../../administration/http/api-answer.js';
import { isHostAllowed } from './management-hosts.js';

export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
}

/** What each path shows; asked for again at every request, with its query. */
export type Pages = Readonly<Record<string, (query: URLSearchParams) => Page | Promise<Page>>>;

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

const ADMINISTRATION = /^\/admin(?:\/|$)/;

const MISDIRECTED = text(
  'this listener does not answer under this name; MANAGEMENT_ALLOWED_HOSTS gives it more\n',
  421,
);

/** Answers all below `/admin`. */
type Administration = (request: IncomingMessage) => Promise<ApiAnswer>;

interface Site {
  readonly pages: Pages;
  readonly administration?: Administration | undefined;
  /** Names, in lower case, that the site has beside its addresses and those of loopback. */
  readonly hosts: readonly string[];
  /** Hears of pages that could not be made. */
  readonly failed: (error: unknown) => void;
}

/** Answers GET and HEAD of these very paths, and what administration answers. */
export function serve({ failed, ...site }: Site): RequestListener {
  return (request, response) => {
    const page = pageFor(site, request);
    page.then(
      (found) => answer(request, response, found),
      (error: unknown) => {
        failed(error);
        answer(request, response, text('failed\n', 500));
      },
    );
  };
}

async function pageFor(
  { pages, hosts, administration }: Omit<Site, 'failed'>,
  request: IncomingMessage,
): Promise<Page> {
  const { url = '', method, headersDistinct } = request;
  const [path = '', query] = url.split('?');
  if (!isHostAllowed(path, headersDistinct['host'] ?? [], hosts)) return MISDIRECTED;
  if (administration && ADMINISTRATION.test(path)) {
    const { status, headers, body } = await administration(request);
    return { ...json(body, status), headers };
  }
  const make = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!make) return text('not found\n', 404);
  if (method !== 'GET' && method !== 'HEAD')
    return { ...text('use GET\n', 405), headers: { Allow: 'GET, HEAD' } };
  return make(new URLSearchParams(query));
}

function answer({ method }: IncomingMessage, response: ServerResponse, page: Page) {
  const { status, type, body, headers = {} } = page;
  response
    .writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    .end(method === 'HEAD' ? undefined : body);
}
