import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import {
  addressIn,
  countBodyMemory,
  holderOf,
  ownOriginMiddleware,
  RefusalError,
  tooMuchAtOnce,
} from '#libs/accounts';
import { cors } from '#libs/oauth';
import { type HeldBytes, largeHeadBytes, type LoadShedder } from '#libs/platform';
import { UPGRADED } from '#libs/tab-hub';
import { isKept } from '#libs/ui-templates';
import type { Config } from '../config/config.js';
import { admission } from './admission.middleware.js';
import { oneByOne } from './server-limits.js';
import { DrainingAdapter } from './shutdown.js';
import type { UnreadAnswers } from './unread-answers.js';

/**
 * The HTTP layer before any route: exact paths, trusted proxies, headers, origin checks, CORS and load shedding.
 * `requestLog` is the first middleware of all but the ones that let pipelined requests wait, and count their bodies.
 */
export function createHttpAdapter(
  config: Config,
  requestLog: RequestHandler,
  { load, answers }: { load: LoadShedder; answers: UnreadAnswers },
): DrainingAdapter {
  const { trustedProxies, publicOrigins, clientAddressHeader } = config;
  const server = exactExpress();
  trustProxies(server, trustedProxies);
  answers.watch(server);
  server.use(
    countBodyMemory(load.bodies, clientAddressHeader),
    oneByOne,
    requestLog,
    commonHeaders,
    ownOriginMiddleware(publicOrigins),
    refuseExpectation,
    refuseManyFields,
    holdLargeHeads(load.heads),
    refuseLongQuery,
    keepDecodable,
    cors({
      registration: config.registration,
      signingKeys: config.signingKeysFile !== undefined,
    }),
    admission(load, clientAddressHeader),
  );
  return new DrainingAdapter(server, config.shutdownGraceMs);
}

/** Trusts these also where an entry of `X-Forwarded-For` has a port or brackets, which Express does not read. */
export function trustProxies(server: Express, trustedProxies: readonly string[]) {
  server.set('trust proxy', [...trustedProxies]);
  const trusts = server.get('trust proxy fn') as (address: string, hop: number) => boolean;
  server.set('trust proxy', (entry = '', hop = 0) => {
    const address = addressIn(entry);
    return address !== undefined && trusts(address, hop);
  });
}

/** Express with exact path matching, without headers that reveal it. */
export function exactExpress() {
  const server = express();
  server.enable('strict routing');
  server.enable('case sensitive routing');
  server.disable('x-powered-by');
  server.disable('etag');
  return server;
}

/** To find one ETag in thousands takes longer than to send the file. */
const MAX_CONDITION_LENGTH = 1024;

/** Removes `If-None-Match` where it is long, and where an answer must not be cached and so cannot be conditional. */
export function commonHeaders(request: Request, response: Response, next: NextFunction) {
  const { length = 0 } = request.headers['if-none-match'] ?? '';
  if (length > MAX_CONDITION_LENGTH || (length > 0 && !isKept(request.path))) {
    delete request.headers['if-none-match'];
  }
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}

/** Node would refuse it by itself, without the headers that every answer has (RFC 9110 §10.1.1). */
function refuseExpectation(
  { headers: { expect } }: Request,
  _response: Response,
  next: NextFunction,
) {
  if (expect === undefined || /\b100-continue\b/i.test(expect)) next();
  else next(new RefusalError(417, 'of expectations only 100-continue can be met'));
}

/** Each takes far more than its text for as long as the request waits. Browsers and proxies send at most 50. */
const MAX_FIELDS = 128;

function refuseManyFields({ rawHeaders }: Request, _response: Response, next: NextFunction) {
  // Names and values.
  if (rawHeaders.length <= 2 * MAX_FIELDS) next();
  else next(new RefusalError(431, 'the request has too many header fields'));
}

/**
 * Bounds what large heads take until their requests are answered, for a visitor and in all: on thousands of connections,
 * those that wait for an account's turn, or for a body, would take all memory.
 */
export function holdLargeHeads(heads: HeldBytes) {
  return (request: Request, response: Response, next: NextFunction) => {
    const bytes = largeHeadBytes(request);
    if (bytes === 0) return next();
    const name = holderOf(request);
    const held = { cut: () => void response.destroy() };
    if (!heads.grow(name, held, bytes)) return next(tooMuchAtOnce());
    const release = () => heads.set(name, held, 0);
    response.once('close', release).once(UPGRADED, release);
    next();
  };
}

const MAX_PARAMETERS = 64;

/** Whether the query of a request target has more than 64 parameters; repeated ones count each time. */
export function hasLongQuery(target: string): boolean {
  const queryAt = target.indexOf('?');
  if (queryAt < 0) return false;
  const parameters = target.slice(queryAt + 1).split('&');
  return parameters.filter((parameter) => parameter !== '').length > MAX_PARAMETERS;
}

/** Refuses before the query is parsed into an object, whose members would cost time and memory. */
function refuseLongQuery(request: Request, _response: Response, next: NextFunction) {
  if (hasLongQuery(request.url)) next(new RefusalError(400, 'the address has too many parameters'));
  else next();
}

/** Escapes a path that cannot be decoded, so that it matches no route (404) instead of causing a 400. */
export function keepDecodable(request: Request, _response: Response, next: NextFunction) {
  if (request.url.includes('%')) {
    const [path = '', ...query] = request.url.split('?');
    if (!isDecodable(path)) request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
}

function isDecodable(path: string) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
