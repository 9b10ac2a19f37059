import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { RequestMember } from '#libs/platform';
import { BASIC_CHALLENGE } from '../client/client-authentication.js';
import type { KnownClient } from '../client/client.js';
import { OAuthError } from '../oauth-error.js';
import type { LookedUpToken, NewToken } from '../token/token.js';

/** The installed oidc-provider is not the version that this code supports. `code` makes a failed start log one line. */
export class UnexpectedLibraryError extends Error {
  override name = 'UnexpectedLibraryError';
  readonly code = 'UNEXPECTED_OIDC_PROVIDER';

  constructor(difference: string) {
    super(`oidc-provider is not the version that is known here: ${difference}`);
  }
}

/** A request as the library sees it: only these members, no cookies and no forwarded headers. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client of the request, already looked up; the library then does no look-up of its own. */
  readonly client?: KnownClient;
  /** The code or refresh token of the request, already looked up; the library then does no look-up of its own. */
  readonly lookedUp?: LookedUpToken;
  readonly jwt?: string | undefined;
  /** Those of the scopes that the code or refresh token may give; asked once the library has verified it. */
  readonly narrow?: (scopes: readonly string[]) => Promise<readonly string[]>;
}

export interface ProviderResponse {
  readonly status: number;
  readonly body: unknown;
  readonly location: string | undefined;
  /** Why the library refused the request, which its response does not say; for logs. */
  readonly detail: string | undefined;
  /** The client of the request, with the metadata that the library used; undefined when it is unknown. */
  readonly client: KnownClient | undefined;
  readonly issued: readonly NewToken[];
  /** The library's context, with the client, tokens and grant of the request. */
  readonly context: KoaContextWithOIDC;
}

export interface ProviderCall extends Pick<ProviderRequest, 'lookedUp' | 'jwt' | 'narrow'> {
  client: KnownClient | undefined;
  /** What `narrow` left out. */
  withheld?: readonly string[];
  readonly issued: NewToken[];
  context?: KoaContextWithOIDC;
  detail?: string | undefined;
  failure?: unknown;
}

const calls = new RequestMember<ProviderCall>();

interface Entrance {
  readonly handle: ReturnType<Provider['callback']>;
  readonly host: string;
  /** Carries no data; tells the library whether the request came over TLS. */
  readonly socket: Socket;
}

const entrances = new WeakMap<Provider, Entrance>();

/** Captures the library's responses instead of sending them: status, body and `Location`, nothing else. */
export function captureResponses(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    context.respond = false;
    Object.assign(calls.get(context.req) ?? {}, { context });
  });
  provider.on('grant.error', ({ req }, { error_detail: detail }) => {
    Object.assign(calls.get(req) ?? {}, { detail });
  });
  provider.on('server_error', ({ req }, failure) => {
    Object.assign(calls.get(req) ?? {}, { failure });
  });
}

/** Lets the library handle a request to its origin; rejects with its internal errors, such as a database outage. */
export async function callProvider(
  provider: Provider,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  const entrance = entranceOf(provider);
  const incoming = incomingMessage(entrance, request);
  const { client: known, lookedUp, jwt, narrow } = request;
  const call: ProviderCall = { client: known, lookedUp, jwt, narrow, issued: [] };
  calls.set(incoming, call);
  await entrance.handle(incoming, new ServerResponse(incoming));
  const { client, issued, context, detail, failure } = call;
  if (failure !== undefined) throw failure;
  if (!context) throw new UnexpectedLibraryError('it gave no response');
  const location = context.response.get('Location') || undefined;
  return { status: context.status, body: context.body, location, detail, client, issued, context };
}

export const currentCall = (): ProviderCall | undefined =>
  Provider.ctx && calls.get(Provider.ctx.req);

/** By hand: light-my-request does not support TLS, serialises a response that is not read, and doubles the time. */
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
  // The library reads a body only through this; a real stream's end takes longer than the library's own work.
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

export interface ErrorBody {
  readonly error?: string;
  readonly error_description?: string;
}

type ErrorResponse = Pick<ProviderResponse, 'status' | 'body' | 'detail'>;

const WRONG_GRANT_TYPE = 'requested grant type is not allowed for this client';

/** Converts the library's error response; `isBasic` is true when the client used the Authorization header. */
export function providerError({ status, body, detail }: ErrorResponse, isBasic: boolean) {
  const { error = 'invalid_request', error_description: description = '' }: ErrorBody = body ?? {};
  if (description === WRONG_GRANT_TYPE) {
    return new OAuthError(400, 'unauthorized_client', description);
  }
  const headers = status === 401 && isBasic ? BASIC_CHALLENGE : {};
  return new OAuthError(status, error, description, headers, detail);
}
