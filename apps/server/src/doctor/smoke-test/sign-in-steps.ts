import { createHash, randomBytes } from 'node:crypto';
import { fail, ok } from '../finding.js';
import { notHere } from './discovery-steps.js';
import { membersOf } from './exchange.js';
import type { Step } from './step.js';

const CLIENT_NAME = 'Gatehouse doctor';
const REDIRECT_URI = 'http://127.0.0.1:4711/callback';

/** Registers a client; `keep` receives its identifier. */
export const registration = (keep: (clientId: string) => void): Step => ({
  name: 'registration',
  question: {
    method: 'POST',
    path: '/svc/oauth/register',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: CLIENT_NAME,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    }),
  },
  validate: (answer) => {
    const { client_id: clientId } = membersOf(answer);
    if (answer.status !== 201 || typeof clientId !== 'string') {
      return fail(
        `registration answers ${answer.status}: ${answer.text.slice(0, 200)}`,
        'look at the log of the service',
      );
    }
    keep(clientId);
    return ok('a client can register');
  },
});

/** The page that a client's link shows to a signed-out browser. */
export const signInPage = (origin: string, clientId: string): Step => ({
  name: 'sign-in page',
  question: { method: 'GET', path: authorizePath(origin, clientId) },
  validate: ({ status, headers, text }) => {
    if (status !== 200 || !text.includes(CLIENT_NAME))
      return notHere('/svc/oauth/authorize', status);
    const policy = String(headers['content-security-policy']);
    if (!/(?:^|;)\s*form-action [^;]*127\.0\.0\.1/.test(policy)) {
      return fail(
        'the sign-in page has no Content-Security-Policy whose form-action names the client',
        'let nothing in between replace the header Content-Security-Policy',
      );
    }
    return ok('authorize shows the sign-in page, which may lead back to the client');
  },
});

/** Sends an unregistered client id, so that nothing is changed. */
export const unknownClient = (origin: string): Step => ({
  name: 'authorize with an unknown client',
  question: { method: 'GET', path: authorizePath(origin, 'unknown-to-everybody') },
  validate: ({ status }) =>
    status === 400
      ? ok('authorize refuses an unknown client')
      : notHere('/svc/oauth/authorize with an unknown client', status),
});

function authorizePath(origin: string, clientId: string) {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${origin}/svc/mcp`,
    state: 'doctor',
  });
  return `/svc/oauth/authorize?${query}`;
}
