import { fail, type Finding } from '../finding.js';
import { describeCertificateError, describeNetworkError, errorDetails } from '../network-errors.js';
import type { Answer } from './exchange.js';

const FORWARDED_HEADERS =
  'the proxy has to set Host, X-Forwarded-Host and X-Forwarded-Proto, and TRUSTED_PROXIES has to name the proxy';

/** Why there was no answer at all. */
export function unreachable(origin: string, error: unknown): Finding {
  const { code, message } = errorDetails(error);
  const network = describeNetworkError(code);
  if (network !== undefined) {
    return fail(
      `${origin} cannot be reached: ${network}`,
      'look at the DNS, the firewall and the proxy',
    );
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
    return fail(
      `${origin} does not answer in time`,
      'look at the firewall, the proxy and the load',
    );
  }
  return fail(`${origin} does not answer as HTTP servers do (${code})`, 'look at the proxy');
}

/** What an answer says that no step expects, whichever it is; undefined when it could be right. */
export function refusal(
  step: string,
  origin: string,
  { status, headers }: Answer,
): Finding | undefined {
  if (status === 421) {
    return fail(
      `${step}: 421, the service sees another origin than ${origin}, or may not serve it`,
      `PUBLIC_ORIGINS has to list ${origin}; ${FORWARDED_HEADERS}`,
    );
  }
  if (status === 429) {
    return fail(
      `${step}: 429, too many requests`,
      `try again in ${headers['retry-after'] ?? 'some'} s`,
    );
  }
  if (status >= 300 && status < 400) {
    return fail(
      `${step}: redirected to ${headers.location ?? 'nowhere'}`,
      'let the proxy hand all paths of this origin on to the service; ask the origin it redirects to',
    );
  }
  if (status === 502 || status === 504) {
    return fail(
      `${step}: ${status}, the proxy does not reach the service`,
      'start the service, or correct the address in the proxy',
    );
  }
  if (status === 503) {
    return fail(
      `${step}: 503, the service or its storage is out of service`,
      'run the doctor without an address on the machine of the service',
    );
  }
  if (status >= 500) return fail(`${step}: ${status}`, 'look at the log of the service');
  return undefined;
}

/** The service takes part of the origin for something else: says which header the proxy keeps back. */
export function wrongOrigin(what: string, expected: string, seen: unknown): Finding {
  const text = `${what} is ${String(seen)} and not ${expected}`;
  const url = typeof seen === 'string' ? URL.parse(seen) : null;
  if (url === null) return fail(text, 'something else than Gatehouse answers this path');
  const { protocol, hostname, port } = new URL(expected);
  if (url.hostname !== hostname) {
    return fail(text, `${FORWARDED_HEADERS}; nginx: proxy_set_header Host $host`);
  }
  if (url.protocol !== protocol) {
    return fail(text, `${FORWARDED_HEADERS}; nginx: proxy_set_header X-Forwarded-Proto $scheme`);
  }
  if (url.port !== port) {
    return fail(
      text,
      'the proxy has to keep the port; nginx: proxy_set_header Host $host:$server_port',
    );
  }
  return fail(text, 'something else than Gatehouse answers this path');
}
