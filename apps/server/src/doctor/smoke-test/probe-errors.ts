import { fail, type Finding } from '../finding.js';
import { describeCertificateError, describeNetworkError, errorDetails } from '../network-errors.js';
import type { Answer } from './exchange.js';

const FORWARDED_HEADERS =
  'the proxy has to set Host, X-Forwarded-Host and X-Forwarded-Proto, and TRUSTED_PROXIES has to name the proxy';

/** Why no answer arrived. */
export function unreachable(origin: string, error: unknown): Finding {
  const { code, message } = errorDetails(error);
  const network = describeNetworkError(code);
  if (network !== undefined) {
    const remedy = 'look at the DNS, the firewall and the proxy';
    return fail(`${origin} cannot be reached: ${network}`, remedy);
  }
  const certificate = describeCertificateError(code);
  if (certificate !== undefined) {
    return fail(
      `the certificate of ${origin} ${certificate}`,
      'renew or replace it at the proxy; for an authority of your own set NODE_EXTRA_CA_CERTS',
    );
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return fail(`${origin} does not speak TLS as it should (${code})`, 'look at the proxy');
  }
  if (code === 'ABORT_ERR' || code === 'TIMEOUT_ERR' || message.includes('abort')) {
    const remedy = 'look at the firewall, the proxy and the load';
    return fail(`${origin} does not answer in time`, remedy);
  }
  return fail(`${origin} does not answer as HTTP servers do (${code})`, 'look at the proxy');
}

/** A refusal that can answer any step; undefined when the answer may be as expected. */
export function refusal(
  step: string,
  origin: string,
  { status, headers }: Answer,
): Finding | undefined {
  const isRedirect = status >= 300 && status < 400;
  const [what, remedy] =
    refusals(origin, headers)[isRedirect ? 300 : status] ??
    (status >= 500 ? [`${status}`, 'look at the log of the service'] : []);
  return what === undefined || remedy === undefined ? undefined : fail(`${step}: ${what}`, remedy);
}

type Refusals = Readonly<Record<number, readonly [what: string, remedy: string]>>;

const refusals = (origin: string, headers: Answer['headers']): Refusals => ({
  300: [
    `redirected to ${headers.location ?? 'nowhere'}`,
    'let the proxy hand all paths of this origin on to the service; ask the origin it redirects to',
  ],
  421: [
    `421, the service sees another origin than ${origin}, or may not serve it`,
    `PUBLIC_ORIGINS has to list ${origin}; ${FORWARDED_HEADERS}`,
  ],
  429: ['429, too many requests', `try again in ${headers['retry-after'] ?? 'some'} s`],
  502: notReached(502),
  503: [
    '503, the service or its storage is out of service',
    'run the doctor without an address on the machine of the service',
  ],
  504: notReached(504),
});

const notReached = (status: number) =>
  [
    `${status}, the proxy does not reach the service`,
    'start the service, or correct the address in the proxy',
  ] as const;

/** The service mistakes part of the origin: names the header that the proxy does not pass on. */
export function wrongOrigin(what: string, expected: string, seen: unknown): Finding {
  const url = typeof seen === 'string' ? URL.parse(seen) : null;
  const { protocol, hostname, port } = new URL(expected);
  const remedies: readonly (readonly [boolean, string])[] = [
    [url === null, 'something else than Gatehouse answers this path'],
    [url?.hostname !== hostname, `${FORWARDED_HEADERS}; nginx: proxy_set_header Host $host`],
    [
      url?.protocol !== protocol,
      `${FORWARDED_HEADERS}; nginx: proxy_set_header X-Forwarded-Proto $scheme`,
    ],
    [
      url?.port !== port,
      'the proxy has to keep the port; nginx: proxy_set_header Host $host:$server_port',
    ],
    [true, 'something else than Gatehouse answers this path'],
  ];
  const [, remedy = ''] = remedies.find(([isWrong]) => isWrong) ?? [];
  return fail(`${what} is ${String(seen)} and not ${expected}`, remedy);
}
