import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { metadataUrl, originOfResource } from '#libs/oauth';
import { isJsonObject, parseJson } from '#libs/platform';
import { contentSecurityPolicy, FIXED_HEADERS } from '#libs/ui-templates';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';
import { isPublicOrigin } from '../config/variable-rules.js';
import { reasonOf } from '../database-failure.js';
import { resourcesOf } from '../resources.js';
import { type Check, fail, type Finding, ok, warn } from './finding.js';

interface Question {
  readonly path: string;
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly certificateEnds?: Date | undefined;
}

interface Step extends Question {
  readonly status: number;
  readonly findings: (answer: Answer) => Iterable<Finding>;
}

const LIMIT_MS = 4_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/svc/mcp';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

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
  const first = await run(signedOut, origin);
  yield* first;
  if (first.some(({ severity }) => severity === 'FAIL')) return;
  for (const step of [...discoverySteps(origin), unknownClient, tabUpgrade(origin), page]) {
    yield* await run(step, origin);
  }
  const resources = await listedResources(origin);
  yield* (await Promise.all(resources.map((one) => askResource(one, [origin])))).flat();
}

/** The first step from outside: does Gatehouse answer, and over which transport? */
const signedOut: Step = {
  path: '/svc/auth/me',
  status: 200,
  *findings({ text, headers, certificateEnds }) {
    yield membersOf(text)['user'] === null
      ? ok('/svc/auth/me answers: no user is signed in')
      : fail('/svc/auth/me is not answered by Gatehouse', PASS_ON);
    if (certificateEnds === undefined) return;
    const days = Math.floor((certificateEnds.getTime() - Date.now()) / DAY_MS);
    const validity = `the certificate is valid for ${days} more days`;
    yield days >= CERTIFICATE_DAYS ? ok(validity) : warn(validity, 'renew it');
    if (headers['strict-transport-security'] === undefined) {
      yield warn(
        'there is no Strict-Transport-Security: a first visit by http can be intercepted',
        'nginx: add_header Strict-Transport-Security "max-age=31536000" always',
      );
    }
  },
};

const discoverySteps = (origin: string): readonly Step[] => [
  {
    path: RESOURCE_METADATA,
    status: 200,
    *findings({ text }) {
      const { resource, authorization_servers: servers } = membersOf(text);
      yield expectUrl('the resource', `${origin}/svc/mcp`, resource);
      yield expectUrl('the authorization server', origin, [servers].flat()[0]);
    },
  },
  {
    path: SERVER_METADATA,
    status: 200,
    *findings({ text }) {
      yield expectUrl('the issuer', origin, membersOf(text)['issuer']);
    },
  },
  {
    method: 'POST',
    path: '/svc/mcp',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    status: 401,
    *findings({ headers }) {
      const seen = /resource_metadata="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
      yield seen === undefined
        ? fail(
            'the 401 of /svc/mcp has no WWW-Authenticate with resource_metadata: clients find nothing',
            'let the proxy pass the header WWW-Authenticate on',
          )
        : expectUrl('resource_metadata of the 401', `${origin}${RESOURCE_METADATA}`, seen);
    },
  },
];

/** Sends an unregistered client id, so that nothing is changed. */
const unknownClient: Step = {
  path: '/svc/oauth/authorize?response_type=code&client_id=unknown-client',
  status: 400,
  findings: () => [ok('authorize refuses an unknown client')],
};

/** A WebSocket upgrade without a session: a refusal that asks for WebSocket means that the upgrade was lost. */
const tabUpgrade = (origin: string): Step => ({
  path: '/svc/me/tabs',
  headers: {
    Origin: origin,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  },
  status: 401,
  *findings({ text }) {
    yield /websocket/i.test(text)
      ? fail(
          'the proxy drops the WebSocket upgrade of /svc/me/tabs',
          'pass upgrades on; nginx: proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade, proxy_set_header Connection "upgrade"',
        )
      : ok(
          'a WebSocket upgrade at /svc/me/tabs arrives; the paths of your own gateways need it too',
        );
  },
});

const PAGE = '/svc/account';

/** Headers of pages that decide whether passkeys and forms work; none of the last three is on any page. */
const PAGE_HEADERS = [
  'Referrer-Policy',
  'Content-Security-Policy',
  'X-Frame-Options',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Clear-Site-Data',
];

const page: Step = {
  path: PAGE,
  status: 200,
  *findings({ headers, text }) {
    yield ok(`${PAGE} is a page`);
    const nonce = /<script nonce="([\w-]{16,})"/.exec(text)?.[1] ?? '';
    const own: Readonly<Record<string, string | undefined>> = {
      ...FIXED_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy({ nonce }),
    };
    for (const name of PAGE_HEADERS) {
      const seen = headers[name.toLowerCase()];
      if (seen === own[name]) continue;
      yield warn(
        `${name} of ${PAGE} is ${String(seen ?? 'missing')} where the service sends ${own[name] ?? 'none'}`,
        'let nothing in between set or remove it: passkeys or forms may fail in browsers',
      );
    }
  },
};

async function listedResources(origin: string): Promise<string[]> {
  const answer = await ask(origin, { path: SERVER_METADATA }).catch(() => undefined);
  const listed = [membersOf(answer?.text ?? '')['protected_resources']].flat();
  return listed.filter(
    (one): one is string =>
      typeof one === 'string' && URL.canParse(one) && one !== `${origin}/svc/mcp`,
  );
}

export async function* resourceFindings(
  config: Config,
  extensions: readonly Extension[],
): AsyncIterable<Finding> {
  const origins = config.publicOrigins ?? [`http://localhost:${config.listen.port}`];
  const all = resourcesOf(config, extensions).map((one) => {
    const origin = originOfResource(one);
    return origin === undefined || origins.includes(origin)
      ? [ok(`${one.resource} is on the origin of this service, which has its metadata`)]
      : askResource(one.resource, origins);
  });
  yield* (await Promise.all(all)).flat();
}

function askResource(resource: string, origins: readonly string[]): Promise<Finding[]> {
  const { origin, pathname, search } = new URL(metadataUrl({ resource }));
  const step: Step = {
    path: pathname + search,
    status: 200,
    *findings({ text }) {
      const { resource: named, authorization_servers: servers } = membersOf(text);
      if (named !== resource) {
        yield fail(
          `the metadata of ${resource} is of ${String(named)}`,
          'give both the same spelling, here and in the metadata of the resource',
        );
      } else if ([servers].flat().some((one) => origins.includes(String(one)))) {
        yield ok(`the metadata of ${resource} names this service`);
      } else {
        yield fail(
          `the metadata of ${resource} does not name ${origins.join(' or ')}`,
          'list the origin of this service in its authorization_servers',
        );
      }
    },
  };
  return run(step, origin);
}

/** Asks a step's question at an origin. Never rejects: a missing answer is a finding too. */
async function run({ status, findings, ...question }: Step, origin: string) {
  try {
    const answer = await ask(origin, question);
    if (answer.status === status) return [...findings(answer)];
    return [unexpected(origin + question.path.split('?')[0], answer)];
  } catch (error) {
    return [
      fail(
        `${origin} cannot be reached: ${reasonOf(error)}`,
        'look at the DNS, the firewall, the certificate and the proxy; for an authority of your own set NODE_EXTRA_CA_CERTS',
      ),
    ];
  }
}

const FORWARDED_HEADERS =
  'the proxy has to set Host, X-Forwarded-Host and X-Forwarded-Proto, and TRUSTED_PROXIES has to name the proxy';

const PASS_ON =
  'let the proxy hand on /svc/ and /.well-known/oauth-* unchanged, and nothing of it to another service';

const LOOK_AT_LOGS =
  'look at the load and the logs of the proxy and the service, and run the doctor without an address on its machine';

function unexpected(url: string, { status, headers }: Answer): Finding {
  if (status === 421) {
    return fail(
      `${url} answers 421: the service sees another origin, or may not serve this one`,
      `PUBLIC_ORIGINS has to list it; ${FORWARDED_HEADERS}`,
    );
  }
  const place = headers.location === undefined ? '' : ` and redirects to ${headers.location}`;
  const isBusy = status === 429 || status >= 500;
  return fail(`${url} answers ${status}${place}`, isBusy ? LOOK_AT_LOGS : PASS_ON);
}

const expectUrl = (what: string, expected: string, seen: unknown): Finding =>
  seen === expected
    ? ok(`${what} is ${expected}`)
    : fail(`${what} is ${String(seen)} and not ${expected}`, FORWARDED_HEADERS);

/** Follows no redirect and reuses no connection. */
function ask(origin: string, { path, method, headers, body }: Question): Promise<Answer> {
  const url = new URL(path, origin);
  const send = url.protocol === 'https:' ? askHttps : askHttp;
  return new Promise((resolve, reject) => {
    const sending = send(url, {
      method,
      headers: { 'User-Agent': 'gatehouse-doctor', ...headers },
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
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers, socket } = incoming;
  const isSecure = socket instanceof TLSSocket;
  const certificateEnds = isSecure ? new Date(socket.getPeerCertificate().valid_to) : undefined;
  return { status, headers, text: await textOf(incoming), certificateEnds };
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
