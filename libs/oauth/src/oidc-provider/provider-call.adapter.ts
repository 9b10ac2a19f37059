import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { KnownClient } from '../clients/client-metadata.js';
import type { Redemption } from '../grants/redemption.js';
import { UnexpectedLibraryError } from './unexpected-library.error.js';

/** A request as the library gets to see it: no cookie, no forwarded header, nothing but this. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client that the request was found to come from; the library then looks for none itself. */
  readonly client?: KnownClient;
  /** What was found of the code or refresh token in it; the library's tokens are then given by it. */
  readonly redemption?: Redemption | undefined;
}

export interface ProviderResponse {
  readonly status: number;
  readonly body: unknown;
  readonly location: string | undefined;
  /** The library's context, for what the request turned out to be about. */
  readonly context: KoaContextWithOIDC;
}

interface Exchange {
  readonly client: KnownClient | undefined;
  readonly redemption: Redemption | undefined;
  context?: KoaContextWithOIDC;
  /** What the library took for a fault of the server. */
  failure?: unknown;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** What is the same for all calls of a provider. */
interface Entrance {
  readonly handle: ReturnType<Provider['callback']>;
  readonly host: string;
  /** Nothing comes or goes by it: it says whether the request came by TLS. */
  readonly socket: Socket;
}

const entrances = new WeakMap<Provider, Entrance>();

/**
 * Lets the library respond into a context instead of onto the wire: its status, body and `Location`
 * come back, its cookies and other headers end here.
 */
export function captureResponses(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    context.respond = false;
    Object.assign(exchanges.get(context.req) ?? {}, { context });
  });
  provider.on('server_error', ({ req }, failure) => {
    Object.assign(exchanges.get(req) ?? {}, { failure });
  });
}

/**
 * Has the library handle a request of its origin; the provider must capture responses. Rejects with
 * what went wrong inside, such as an outage of the database, instead of the library's response to it.
 */
export async function callProvider(provider: Provider, request: ProviderRequest) {
  const entrance = entranceOf(provider);
  const incoming = incomingMessage(entrance, request);
  const { client, redemption } = request;
  const exchange: Exchange = { client, redemption };
  exchanges.set(incoming, exchange);
  await entrance.handle(incoming, new ServerResponse(incoming));
  const { context, failure } = exchange;
  if (failure !== undefined) throw failure;
  if (!context) throw new UnexpectedLibraryError('it gave no response');
  const location = context.response.get('Location') || undefined;
  return {
    status: context.status,
    body: context.body,
    location,
    context,
  } satisfies ProviderResponse;
}

/** The client that a request which the library handles was found to come from, if it was. */
export const clientOfCall = ({ req }: KoaContextWithOIDC): KnownClient | undefined =>
  exchanges.get(req)?.client;

/** The redemption that a request which the library handles is about, if it is. */
export const redemptionOfCall = (): Redemption | undefined =>
  Provider.ctx && exchanges.get(Provider.ctx.req)?.redemption;

/**
 * By hand: light-my-request knows no TLS, so that on https origins the library would see http, writes a
 * response that nobody reads, and makes a call take twice its time; context and failure would still be captured.
 */
function incomingMessage(
  { host, socket }: Entrance,
  { method, target, headers, body }: ProviderRequest,
) {
  const request = new IncomingMessage(socket);
  request.method = method;
  request.url = target;
  request.headers = { host, accept: 'application/json', ...headers };
  request.push(null);
  if (body === undefined) return request;
  const bytes = Buffer.from(body);
  request.headers['content-length'] = String(bytes.length);
  // The library reads a body by this alone, and the end of a stream takes longer than what it decides.
  return Object.assign(request, { iterator: () => [bytes] });
}

function entranceOf(provider: Provider): Entrance {
  const known = entrances.get(provider);
  if (known) return known;
  const { host, protocol } = new URL(provider.issuer);
  const socket = Object.assign(new Socket(), { encrypted: protocol === 'https:' });
  const entrance = { handle: provider.callback(), host, socket };
  entrances.set(provider, entrance);
  return entrance;
}
