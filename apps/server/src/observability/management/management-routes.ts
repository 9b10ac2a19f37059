import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isHostAllowed } from './management-hosts.js';

export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
}

/** `tellsAll` is false under a `Host` for which `/metrics` is refused. */
type MakePage = (query: URLSearchParams, tellsAll: boolean) => Page | Promise<Page>;

/** The page of each path, created for every request from its query. */
export type Pages = Readonly<Record<string, MakePage>>;

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

interface Site {
  readonly pages: Pages;
  /** Handles all paths below `/admin`. */
  readonly administration?: RequestListener | undefined;
  /** Accepted names, in lower case, in addition to addresses and loopback names. */
  readonly hosts: readonly string[];
  /** Called when a page could not be created. */
  readonly failed: (error: unknown) => void;
}

/** Answers GET and HEAD of exactly these paths, and passes paths below `/admin` to administration. */
export function serve({ failed, administration, ...site }: Site): RequestListener {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const named = request.headersDistinct['host'] ?? [];
    if (!isHostAllowed(path, named, site.hosts)) return answer(request, response, MISDIRECTED);
    if (administration && ADMINISTRATION.test(path)) return administration(request, response);
    const tellsAll = isHostAllowed('/metrics', named, site.hosts);
    const page = pageFor(site.pages, request, tellsAll);
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
  pages: Pages,
  { url = '', method }: IncomingMessage,
  tellsAll: boolean,
): Promise<Page> {
  const [path = '', query] = url.split('?');
  const make = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!make) return text('not found\n', 404);
  if (method !== 'GET' && method !== 'HEAD')
    return { ...text('use GET\n', 405), headers: { Allow: 'GET, HEAD' } };
  return make(new URLSearchParams(query), tellsAll);
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
