import { randomBytes } from 'node:crypto';
import { clockFinding } from '../checks/clock.js';
import { fail, type Finding, ok, warn } from '../finding.js';
import { notHere } from './discovery-steps.js';
import { type Answer, type Ask, membersOf } from './exchange.js';
import type { Step } from './step.js';

const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
/** A `Date` header has no fractions of a second. */
const DATE_STEP_MS = 1_000;

/** The first step from outside: does Gatehouse answer? */
export const signedOut: Step = {
  name: 'GET /svc/auth/me',
  question: { method: 'GET', path: '/svc/auth/me' },
  validate: (answer) =>
    answer.status === 200 && membersOf(answer)['user'] === null
      ? ok('/svc/auth/me answers: no user is signed in')
      : notHere('/svc/auth/me', answer.status),
};

/**
 * A WebSocket upgrade without a session. A refusal that asks for WebSocket means that the upgrade was lost on the
 * way.
 */
export const tabUpgrade = (origin: string): Step => ({
  name: 'WebSocket at /svc/me/tabs',
  question: {
    method: 'GET',
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
      return ok(`${path} answers 401, as it has to while no user is signed in`);
    }
    if (!isDropped) return notHere(path, status);
    return fail(
      `${path} answers ${status}: the proxy drops upgrades`,
      'pass them on; nginx: proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade, proxy_set_header Connection "upgrade"',
    );
  },
});

/** The findings beside the content of the first answer: certificate, clock and headers. */
export function* transportFindings(
  { certificateEnds, headers }: Answer,
  asked: number,
  answered: number,
): Iterable<Finding> {
  if (certificateEnds !== undefined) {
    yield certificateFinding(certificateEnds, answered);
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
  const half = DATE_STEP_MS / 2;
  const theirs = Date.parse(headers.date ?? '') + half;
  if (!Number.isNaN(theirs)) {
    yield clockFinding('the server', { theirs, asked: asked - half, answered: answered + half });
  }
}

function certificateFinding(ends: Date, now: number): Finding {
  const days = Math.floor((ends.getTime() - now) / DAY_MS);
  const text = `the certificate is valid for ${days} more days`;
  return days >= CERTIFICATE_DAYS ? ok(text) : warn(text, 'renew it');
}

/** Where plain http on the default port leads; no finding for an origin that is not https on its default port. */
export async function* plainHttpFindings(origin: string, ask: Ask): AsyncIterable<Finding> {
  const { protocol, port, host } = new URL(origin);
  if (protocol !== 'https:' || port !== '') return;
  try {
    const { status, headers } = await ask({ method: 'GET', path: '/' });
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
