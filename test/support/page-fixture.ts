import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page as BrowserPage } from 'playwright-core';
import type { Page } from '#libs/ui-templates';

type Pages = (origin: string) => Readonly<Record<string, Page>>;

/** Serves rendered pages by path, on localhost and on 127.0.0.1. */
export async function startPageServer(pages: Pages) {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const page = pages(`http://${headers.host}`)[pathname];
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(page.status, page.headers).end(page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    addressOrigin: `http://127.0.0.1:${port}`,
    stop: async () => void (await server[Symbol.asyncDispose]()),
  };
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export const requestOptions = {
  challenge: 'A'.repeat(43),
  timeout: 300_000,
  rpId: 'localhost',
  userVerification: 'required',
};
export const creationOptions = {
  challenge: 'A'.repeat(43),
  rp: { name: 'Gatehouse', id: 'localhost' },
  user: { id: 'QW5u', name: 'Ann', displayName: 'Ann' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
};

/** The routes under `/svc/auth/` as a page sees them: each request succeeds unless configured otherwise. */
export class FakeAuthApi {
  readonly asked: { readonly route: string; readonly body: unknown }[] = [];
  private readonly linedUp = new Map<string, (Answer | 'unreachable')[]>();

  static async behind(page: BrowserPage) {
    const api = new FakeAuthApi();
    await page.route('**/svc/auth/**', async (route) => {
      const name = new URL(route.request().url()).pathname.slice('/svc/auth/'.length);
      api.asked.push({ route: name, body: route.request().postDataJSON() as unknown });
      const answer = api.linedUp.get(name)?.shift() ?? api.success(name);
      if (answer === 'unreachable') return route.abort();
      const { status = 200, headers = {}, body = {} } = answer;
      return route.fulfill({ status, headers, json: body });
    });
    return api;
  }

  answers(route: string, ...answers: readonly (Answer | 'unreachable')[]) {
    this.linedUp.set(route, [...answers]);
  }

  get routes() {
    return this.asked.map(({ route }) => route);
  }

  private success(route: string): Answer {
    if (route === 'login/options') return { body: requestOptions };
    if (route === 'register/options') return { body: creationOptions };
    return { body: { user: { id: 'QW5u', displayName: 'Ann' } } };
  }
}
