import * as fc from 'fast-check';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { type Answer, call } from '../support/http.js';
import { faultyAuthentication, faultyRegistration } from '../support/fuzz/faulty-ceremony.js';
import { mutated } from '../support/fuzz/mutation.js';
import { headers } from '../support/fuzz/fuzz-headers.js';
import { body, MARKER } from '../support/fuzz/fuzz-json.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';
import { countStored } from '../support/stored.js';

const ROUTES = ['register/options', 'register/verify', 'login/options', 'login/verify', 'logout'];
const REGISTER_VERIFY = '/svc/auth/register/verify';
const LOGIN_VERIFY = '/svc/auth/login/verify';

const BODIES = 2000;
const FAULTY_CEREMONIES = 1000;
/** Few, so that on a busy machine no write waits for over 5 seconds behind the others, which would be 503. */
const LANES = 4;

/** Words of a stack trace, a library or a path in the file system. */
const INTERNALS =
  /node_modules|simplewebauthn|file:|\/work|\.[cm]?[jt]s\b|\bat \S+:\d|Error\b|SQL|CBOR/i;

/** Checks a property `runs` times, several at once; the first failure reports its seed and counterexample. */
async function holds<T>(
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
) {
  const property = fc.asyncProperty(arbitrary, check);
  const lanes = Array.from({ length: LANES }, () =>
    fc.assert(property, { numRuns: Math.ceil(runs / LANES) }),
  );
  const outcomes = await Promise.allSettled(lanes);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}

/** For any request: no failure of the service, and a refusal that helps people but reveals nothing internal. */
function expectManners({ status, headers: received, text, json }: Answer) {
  expect(status).toBeLessThan(500);
  expect(received['cache-control']).toBe('no-store');
  if (status < 400) return;
  expect(received['content-type']).toMatch(/^application\/json/);
  expect(json()).toEqual({ error: expect.any(String) });
  expect(text).not.toContain(MARKER);
  expect(json()['error']).not.toMatch(INTERNALS);
}

describe('fuzzed requests', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  /** Counts in the database: rows that are left behind show nowhere else. */
  const rows = async () => {
    const [users = 0, credentials = 0, sessions = 0] = await Promise.all(
      ['users', 'credentials', 'sessions'].map((table) => countStored(gatehouse, table)),
    );
    return { users, credentials, sessions };
  };

  const expectService = async () => {
    const newcomer = new Browser(gatehouse);
    expect((await newcomer.signUp('Bea')).status).toBe(200);
    newcomer.cookie = undefined;
    expect((await newcomer.signIn()).status).toBe(200);
    expect((await newcomer.me()).user).toMatchObject({ displayName: 'Bea' });
  };

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  it.each(ROUTES)(
    `${BODIES} bodies at %s are refused politely and leave nothing behind`,
    async (route) => {
      const before = await rows();
      const { host } = new URL(gatehouse.origin);
      await holds(BODIES, fc.record({ body, headers }), async (request) => {
        const path = `/svc/auth/${route}`;
        const sent = { method: 'POST', path, headers: { host, ...request.headers } };
        expectManners(await call(gatehouse.port, { ...sent, body: request.body }));
      });
      expect(await rows()).toEqual(before);
      await expectService();
    },
  );

  it(`${FAULTY_CEREMONIES} faulty registrations are stored when they are accepted, and only then`, async () => {
    const before = await rows();
    const accepted: Answer[] = [];
    await holds(FAULTY_CEREMONIES, faultyRegistration, async ({ alg, overrides, faults }) => {
      const options = await browser.creationOptions();
      const authenticator = new SoftAuthenticator();
      const response = await authenticator.create(options, gatehouse.origin, { alg, overrides });
      const answer = await new Browser(gatehouse).post(REGISTER_VERIFY, mutated(response, faults));
      expectManners(answer);
      if (answer.status === 200) accepted.push(answer);
    });
    const { users, credentials, sessions } = before;
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length).toBeLessThan(FAULTY_CEREMONIES / 2);
    expect(await rows()).toEqual({
      users: users + accepted.length,
      credentials: credentials + accepted.length,
      sessions: sessions + accepted.length,
    });
    await expectService();
  });

  it(`of ${FAULTY_CEREMONIES} faulty sign-ins none is accepted whose signed parts were touched`, async () => {
    await browser.signUp();
    const { authenticator } = browser;
    const before = await rows();
    let accepted = 0;
    await holds(FAULTY_CEREMONIES, faultyAuthentication, async ({ overrides, faults }) => {
      const visitor = new Browser(gatehouse, authenticator);
      const response = await visitor.assert({ overrides });
      const sent = mutated(response, faults);
      const answer = await visitor.post(LOGIN_VERIFY, sent);
      expectManners(answer);
      if (answer.status !== 200) return;
      accepted += 1;
      expect(signedParts(sent)).toEqual(signedParts(response));
    });
    const { sessions } = before;
    expect(await rows()).toEqual({ ...before, sessions: sessions + accepted });
    await expectService();
  });
});

function signedParts({ response }: { readonly response?: unknown }) {
  const { clientDataJSON, authenticatorData, signature } = response as Record<string, string>;
  return [clientDataJSON, authenticatorData, signature].map((part = '') =>
    Buffer.from(part, 'base64url').toString('hex'),
  );
}
