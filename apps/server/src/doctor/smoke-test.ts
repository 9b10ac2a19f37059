import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { metadataUrl, originOfResource, type Resource } from '#libs/oauth';
import { isJsonObject, parseJson } from '#libs/platform';
import { contentSecurityPolicy, FIXED_HEADERS } from '#libs/ui-templates';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';
import { isPublicOrigin } from '../config/variable-rules.js';
import { createApp } from '../create-app.js';
import { connectionProblem, errorDetails } from '../storage-problems.js';
import { type Check, fail, type Finding, ok, warn } from './finding.js';

interface Question {
  readonly path: string;
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** When the certificate of an https server expires. */
  readonly certificateEnds?: Date;
}

/** Sends a question to the service: directly to an origin, or with the headers of a proxy. */
export type Ask = (question: Question) => Promise<Answer>;

/** One question, and the check of an answer that is no known refusal. */
interface Step {
  readonly name: string;
  readonly question: Question;
  readonly validate: (answer: Answer) => Finding;
}

const LIMIT_MS = 4_000;
const MAX_BODY_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
const ENOUGH_REQUESTS = 1_000;
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/svc/mcp';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/** Tests a deployed service from outside, as a visitor reaches it; changes nothing there. */
export function outsideSmokeTest(address: string): Check {
  const origin = address.replace(/\/$/, '');
  if (isPublicOrigin(origin)) return { title: origin, findings: outsideFindings(origin) };
  const remedy =
    'give https://<host>, in lower case and without a path; plain http only on loopback';
  return {
    title: 'Address',
    findings: [fail('the address is no origin that could be served', remedy)],
  };
}

async function* outsideFindings(origin: string): AsyncIterable<Finding> {
  const ask = askAt(origin);
  let first: Answer | undefined;
  const reached = await runStep(
    signedOut,
    origin,
    async (question) => (first = await ask(question)),
  );
  yield reached;
  if (first !== undefined) yield* transportFindings(first);
  if (reached.severity === 'FAIL') return;
  const steps = [...discoverySteps(origin), unknownClient(origin), tabUpgrade(origin)];
  yield* await Promise.all(steps.map((step) => runStep(step, origin, ask)));
  yield* await Promise.all(
    (await listedResources(origin, ask)).map((one) => resourceFinding(one, [origin])),
  );
  yield* await pageFindings(origin, ask);
  yield* plainHttpFindings(origin, askAt(origin.replace(/^https:/, 'http:')));
}

/**
 * Starts the service with these settings on temporary storage, and reads the metadata on every public origin. This
 * tests the service's settings and extensions; only a smoke test from outside tests those of a real proxy.
 */
export async function* selfSmokeTest(
  config: Config,
  extensions: readonly Extension[],
): AsyncIterable<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-doctor-'));
  try {
    const app = await createApp(
      throwAway(config, join(folder, 'smoke-test.sqlite')),
      extensions.map(withoutReceivers),
    );
    try {
      const server = await app.listen(0, '127.0.0.1');
      const { port } = server.address() as AddressInfo;
      for (const origin of config.publicOrigins ?? [`http://localhost:${port}`]) {
        const ask = askThrough(config, origin, port);
        for (const step of [...discoverySteps(origin), unknownClient(origin)]) {
          const finding = await runStep(step, origin, ask);
          yield finding;
          if (finding.severity === 'FAIL') break;
        }
      }
    } finally {
      await app.close();
    }
  } catch (error) {
    yield fail(
      `the service does not start with these settings: ${errorDetails(error).message}`,
      'start it and look at its log',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The smoke test connects from loopback; where any proxy is trusted, loopback is trusted too. */
const throwAway = (config: Config, path: string): Config => ({
  ...config,
  listen: { port: 0, host: '127.0.0.1' },
  database: { type: 'sqlite', path },
  migratesAtStart: true,
  redisUrl: undefined,
  eventsWebhook: undefined,
  trustedProxies: config.trustedProxies.length === 0 ? [] : [...config.trustedProxies, 'loopback'],
  rateLimit: { ...config.rateLimit, max: Math.max(config.rateLimit.max, ENOUGH_REQUESTS) },
  management: undefined,
  devtoolsPort: undefined,
  logLevel: 'fatal',
});

/** Removes the event receivers: they must not get the events of the throw-away instance. */
const withoutReceivers = ({ replacements, ...extension }: Extension): Extension => ({
  ...extension,
  replacements: { ...replacements, events: [] },
});

/**
 * Sends the headers that a proxy would send for this origin. Without a trusted proxy it sends no forwarding headers,
 * because the service would ignore them.
 */
function askThrough({ trustedProxies }: Config, origin: string, port: number): Ask {
  const { host, protocol } = new URL(origin);
  const forwarded = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': protocol.slice(0, -1) };
  const headers = trustedProxies.length === 0 ? { Host: host } : { Host: host, ...forwarded };
  return askAt(`http://127.0.0.1:${port}`, headers);
}

/** The first step from outside: does Gatehouse answer? */
export const signedOut: Step = {
  name: 'GET /svc/auth/me',
  question: { path: '/svc/auth/me' },
  validate: (answer) =>
    answer.status === 200 && membersOf(answer)['user'] === null
      ? ok('/svc/auth/me answers: no user is signed in')
      : notHere('/svc/auth/me', answer.status),
};

/** The documents that an MCP client reads before it requests a token. */
const discoverySteps = (origin: string): readonly Step[] => [
  {
    name: 'protected-resource metadata',
    question: { path: RESOURCE_METADATA },
    validate: (answer) => {
      if (answer.status !== 200) return notHere(RESOURCE_METADATA, answer.status);
      const { resource, authorization_servers: servers } = membersOf(answer);
      if (resource !== `${origin}/svc/mcp`) {
        return wrongOrigin('the resource', `${origin}/svc/mcp`, resource);
      }
      const [server] = Array.isArray(servers) ? (servers as unknown[]) : [];
      if (server !== origin) return wrongOrigin('the authorization server', origin, server);
      return ok(`protected-resource metadata: ${origin}/svc/mcp`);
    },
  },
  {
    name: 'authorization-server metadata',
    question: { path: SERVER_METADATA },
    validate: (answer) => {
      if (answer.status !== 200) return notHere(SERVER_METADATA, answer.status);
      const { issuer } = membersOf(answer);
      if (issuer !== origin) return wrongOrigin('the issuer', origin, issuer);
      return ok(`authorization-server metadata: the issuer is ${origin}`);
    },
  },
  {
    name: 'POST /svc/mcp without a token',
    question: {
      method: 'POST',
      path: '/svc/mcp',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
    validate: ({ status, headers }) => {
      if (status !== 401) return notHere('POST /svc/mcp', status);
      const challenge = headers['www-authenticate'] ?? '';
      const seen = /resource_metadata="([^"]*)"/.exec(challenge)?.[1];
      const expected = `${origin}${RESOURCE_METADATA}`;
      if (seen === expected) return ok('/svc/mcp asks for a token and says where to get one');
      if (seen !== undefined) return wrongOrigin('resource_metadata in the 401', expected, seen);
      return fail(
        'the 401 of /svc/mcp has no WWW-Authenticate with resource_metadata: clients find nothing',
        'let the proxy pass the header WWW-Authenticate on',
      );
    },
  },
];

/** The identifiers of the resources beside `/svc/mcp`, as the authorization server lists them. */
async function listedResources(origin: string, ask: Ask): Promise<string[]> {
  const answer = await ask({ path: SERVER_METADATA }).catch(() => undefined);
  const { protected_resources: listed } = answer ? membersOf(answer) : {};
  const isFurther = (one: unknown): one is string =>
    typeof one === 'string' && URL.canParse(one) && one !== `${origin}/svc/mcp`;
  return Array.isArray(listed) ? listed.filter(isFurther) : [];
}

/** Whether clients find their way from each resource beside `/svc/mcp` to this service. */
export async function* resourceFindings(
  resources: readonly Resource[],
  { publicOrigins, listen }: Config,
): AsyncIterable<Finding> {
  const origins = publicOrigins ?? [`http://localhost:${listen.port}`];
  yield* await Promise.all(
    resources.map((one) => {
      const { resource } = one;
      const origin = originOfResource(one);
      return origin === undefined || origins.includes(origin)
        ? ok(`${resource} is on the origin of this service, which has its metadata`)
        : resourceFinding(resource, origins);
    }),
  );
}

/**
 * Whether clients find their way from a resource to this service: the metadata of the resource (RFC 9728 §3) names one
 * of `origins` as its authorization server.
 */
async function resourceFinding(resource: string, origins: readonly string[]): Promise<Finding> {
  const { origin, pathname, search } = new URL(metadataUrl({ resource }));
  const path = pathname + search;
  const validate = (answer: Answer) => {
    if (answer.status !== 200) {
      return fail(
        `${origin}${path} answers ${answer.status}`,
        'let the server of the resource answer with its metadata there (RFC 9728)',
      );
    }
    const { resource: named, authorization_servers: servers } = membersOf(answer);
    if (named !== resource) {
      return fail(
        `the metadata of ${resource} is of ${String(named)}`,
        'give both the same spelling, here and in the metadata of the resource',
      );
    }
    const isNamed =
      Array.isArray(servers) && servers.some((one) => origins.includes(one as string));
    return isNamed
      ? ok(`the metadata of ${resource} names this service`)
      : fail(
          `the metadata of ${resource} does not name ${origins.join(' or ')}`,
          'list the origin of this service in its authorization_servers',
        );
  };
  return runStep(
    { name: `the metadata of ${resource}`, question: { path }, validate },
    origin,
    askAt(origin),
  );
}

/** Sends an unregistered client id, so that nothing is changed. */
function unknownClient(origin: string): Step {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'unknown-client',
    redirect_uri: 'http://127.0.0.1:4711/callback',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${origin}/svc/mcp`,
    state: 'doctor',
  });
  return {
    name: 'authorize with an unknown client',
    question: { path: `/svc/oauth/authorize?${query}` },
    validate: ({ status }) =>
      status === 400
        ? ok('authorize refuses an unknown client')
        : notHere('/svc/oauth/authorize with an unknown client', status),
  };
}

/**
 * A WebSocket upgrade without a session. A refusal that asks for WebSocket means that the upgrade was lost on the
 * way.
 */
export const tabUpgrade = (origin: string): Step => ({
  name: 'WebSocket at /svc/me/tabs',
  question: {
    path: '/svc/me/tabs',
    headers: {
      Origin: origin,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    },
  },
  validate: ({ status, text }) => {
    const path = 'a WebSocket upgrade at /svc/me/tabs';
    const isDropped = status === 426 || status === 400 || /websocket/i.test(text);
    if (status === 401 && !isDropped) {
      return ok(
        `${path} answers 401, as it has to while no user is signed in; a proxy has to pass on those of your own gateways too, whose paths are not known here`,
      );
    }
    if (!isDropped) return notHere(path, status);
    return fail(
      `${path} answers ${status}: the proxy drops upgrades`,
      'pass them on; nginx: proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade, proxy_set_header Connection "upgrade"',
    );
  },
});

/** The findings beside the content of the first answer: certificate and headers. */
export function* transportFindings(
  { certificateEnds, headers }: Answer,
  now = Date.now(),
): Iterable<Finding> {
  if (certificateEnds !== undefined) {
    const days = Math.floor((certificateEnds.getTime() - now) / DAY_MS);
    const text = `the certificate is valid for ${days} more days`;
    yield days >= CERTIFICATE_DAYS ? ok(text) : warn(text, 'renew it');
    yield headers['strict-transport-security'] === undefined
      ? warn(
          'there is no Strict-Transport-Security: a first visit by http can be intercepted',
          'nginx: add_header Strict-Transport-Security "max-age=31536000" always',
        )
      : ok('Strict-Transport-Security is set');
  }
  if (headers['cache-control'] !== 'no-store') {
    yield warn(
      `Cache-Control is ${headers['cache-control'] ?? 'missing'} where the service says no-store`,
      'let nothing in between change or keep its answers',
    );
  }
}

const PAGE = '/svc/account';

/** What changes if a header of a page is another one; none of the last three is on any page. */
const PAGE_HEADERS = {
  'Referrer-Policy': 'browsers may not say that a form comes from a page of the service',
  'Content-Security-Policy': 'its script may be blocked, or scripts of others run',
  'X-Frame-Options': 'pages of others may frame it',
  'Permissions-Policy': 'browsers may refuse to use passkeys there',
  'Cross-Origin-Opener-Policy': 'apps that open it in a window do not learn that it was closed',
  'Clear-Site-Data': 'people may be signed out',
} as const;

/** Whether a page has the headers of the service and no other of that kind. */
async function pageFindings(origin: string, ask: Ask): Promise<Finding[]> {
  const changed: Finding[] = [];
  const validate = (answer: Answer) => {
    if (answer.status !== 200) return notHere(PAGE, answer.status);
    changed.push(...changedHeaders(answer));
    return ok(`${PAGE} is a page`);
  };
  const step = { name: PAGE, question: { path: PAGE }, validate };
  return [await runStep(step, origin, ask), ...changed];
}

function changedHeaders({ headers, text }: Answer): Finding[] {
  const nonce = /<script nonce="([\w-]{16,})"/.exec(text)?.[1];
  const policy = nonce === undefined ? 'its nonce' : contentSecurityPolicy({ nonce });
  const own: Partial<Record<string, string | undefined>> = {
    ...FIXED_HEADERS,
    'Content-Security-Policy': policy,
  };
  return Object.entries(PAGE_HEADERS).flatMap(([name, consequence]) => {
    const seen = headers[name.toLowerCase()];
    if (seen === own[name]) return [];
    const said = own[name] === undefined ? 'sends none' : `says ${own[name]}`;
    return warn(
      `${name} of ${PAGE} is ${String(seen ?? 'missing')} where the service ${said}: ${consequence}`,
      `let nothing in between set or remove ${name} on the paths of the service`,
    );
  });
}

/** Where plain http on the default port leads; no finding for an origin that is not https on its default port. */
export async function* plainHttpFindings(origin: string, ask: Ask): AsyncIterable<Finding> {
  const { protocol, port, host } = new URL(origin);
  if (protocol !== 'https:' || port !== '') return;
  try {
    const { status, headers } = await ask({ path: '/' });
    const leads = URL.parse(headers.location ?? '', `http://${host}`);
    yield status >= 300 && status < 400 && leads?.origin === origin
      ? ok(`http://${host} redirects to https`)
      : warn(
          `http://${host} answers ${status} and does not lead to ${origin}`,
          'nginx: return 308 https://$host$request_uri in the server for port 80',
        );
  } catch {
    yield warn(
      `nothing answers at http://${host}`,
      'let port 80 redirect to https, for people who type the name',
    );
  }
}

/** Asks a step's question at an origin. Never rejects: a missing answer is a finding too. */
async function runStep(
  { name, question, validate }: Step,
  origin: string,
  ask: Ask,
): Promise<Finding> {
  try {
    const answer = await ask(question);
    return refusal(name, origin, answer) ?? validate(answer);
  } catch (error) {
    return unreachable(origin, error);
  }
}

const FORWARDED_HEADERS =
  'the proxy has to set Host, X-Forwarded-Host and X-Forwarded-Proto, and TRUSTED_PROXIES has to name the proxy';

/** Why no answer arrived. */
export function unreachable(origin: string, error: unknown): Finding {
  const { code, message } = errorDetails(error);
  const unconnected = connectionProblem(origin, code, [
    'look at the DNS, the firewall and the proxy',
    'renew or replace it at the proxy; for an authority of your own set NODE_EXTRA_CA_CERTS',
  ]);
  if (unconnected) return fail(unconnected.text, unconnected.remedy);
  const remedy = 'look at the firewall, the proxy and the load';
  if (code === 'ABORT_ERR' || code === 'TIMEOUT_ERR' || message.includes('abort')) {
    return fail(`${origin} does not answer in time`, remedy);
  }
  return fail(`${origin} does not answer as HTTP servers do (${code})`, remedy);
}

/** A refusal that can answer any step; undefined when the answer may be as expected. */
export function refusal(
  step: string,
  origin: string,
  { status, headers }: Answer,
): Finding | undefined {
  const refused = (what: string, remedy: string) => fail(`${step}: ${what}`, remedy);
  if (status >= 300 && status < 400) {
    return refused(
      `redirected to ${headers.location ?? 'nowhere'}`,
      'let the proxy hand all paths of this origin on to the service; ask the origin it redirects to',
    );
  }
  if (status === 421) {
    return refused(
      `421, the service sees another origin than ${origin}, or may not serve it`,
      `PUBLIC_ORIGINS has to list ${origin}; ${FORWARDED_HEADERS}`,
    );
  }
  if (status === 429) {
    return refused('429, too many requests', `try again in ${headers['retry-after'] ?? 'some'} s`);
  }
  if (status === 502 || status === 504) {
    return refused(
      `${status}, the proxy does not reach the service`,
      'start the service, or correct the address in the proxy',
    );
  }
  if (status === 503) {
    return refused(
      '503, the service or its storage is out of service',
      'run the doctor without an address on the machine of the service',
    );
  }
  return status >= 500 ? refused(`${status}`, 'look at the log of the service') : undefined;
}

/** The finding for a status that Gatehouse never answers on that path. */
const notHere = (path: string, status: Answer['status']) =>
  fail(
    `${path} answers ${status}`,
    'let the proxy hand on /svc/ and /.well-known/oauth-* unchanged, and nothing of it to another service',
  );

/** The service mistakes part of the origin: names the header that the proxy does not pass on. */
export function wrongOrigin(what: string, expected: string, seen: unknown): Finding {
  const url = typeof seen === 'string' ? URL.parse(seen) : null;
  const { protocol, hostname, port } = new URL(expected);
  let remedy = 'something else than Gatehouse answers this path';
  if (url !== null && url.hostname !== hostname) {
    remedy = `${FORWARDED_HEADERS}; nginx: proxy_set_header Host $host`;
  } else if (url !== null && url.protocol !== protocol) {
    remedy = `${FORWARDED_HEADERS}; nginx: proxy_set_header X-Forwarded-Proto $scheme`;
  } else if (url !== null && url.port !== port) {
    remedy = 'the proxy has to keep the port; nginx: proxy_set_header Host $host:$server_port';
  }
  return fail(`${what} is ${String(seen)} and not ${expected}`, remedy);
}

/** Sends questions to the server at `base`; `headers` go with each. Follows no redirect and reuses no connection. */
const askAt =
  (base: string, extra: Readonly<Record<string, string>> = {}): Ask =>
  ({ path, method = 'GET', headers, body }) => {
    const url = new URL(path, base);
    const send = url.protocol === 'https:' ? askHttps : askHttp;
    return new Promise((resolve, reject) => {
      const sending = send(url, {
        method,
        headers: { 'User-Agent': 'gatehouse-doctor', ...headers, ...extra },
        agent: false,
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      sending.on('response', (incoming) => readAnswer(incoming).then(resolve, reject));
      sending.on('upgrade', (incoming, socket) => {
        socket.destroy();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: '' });
      });
      sending.on('error', reject);
      sending.end(body);
    });
  };

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers, socket } = incoming;
  const ends =
    socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status, headers, text, ...(ends && { certificateEnds: ends }) };
}

/** The members of a JSON object; none for any other text. */
function membersOf({ text }: Answer): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
