import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

const REGISTER = '/svc/auth/register/verify';
const LOGIN = '/svc/auth/login/verify';
const MINUTE_MS = 60_000;

const NEVER_ISSUED = Buffer.from(
  JSON.stringify({
    type: 'webauthn.create',
    challenge: 'c'.repeat(43),
    origin: 'http://localhost',
  }),
).toString('base64url');

describe('challenges (contract: Challenges)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  describe.each([
    ['register/verify', REGISTER, 'sign-up expired or was already used; start again'],
    ['login/verify', LOGIN, 'sign-in expired or was already used; start again'],
  ])('400 | %s | challenge missing, unreadable, unissued | start again', (_route, path, error) => {
    it.each([
      ['missing', {}],
      ['unreadable', { response: { clientDataJSON: '*'.repeat(80) } }],
      ['never issued', { response: { clientDataJSON: NEVER_ISSUED } }],
    ])('%s', async (_what, body) => {
      const answer = await browser.post(path, body);
      expect([answer.status, answer.json()]).toEqual([400, { error }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    });
  });

  it('400 | register/verify | challenge used', async () => {
    const response = await browser.attest();
    expect((await browser.post(REGISTER, response)).status).toBe(200);
    const again = await new Browser(gatehouse).post(REGISTER, response);
    expect(again.json()).toEqual({ error: expect.stringContaining('start again') });
  });

  it('400 | login/verify | challenge used', async () => {
    await browser.signUp();
    const response = await browser.assert();
    expect((await browser.post(LOGIN, response)).status).toBe(200);
    expect((await browser.post(LOGIN, response)).status).toBe(400);
  });

  it('a challenge is used up by a response that fails', async () => {
    const response = await browser.attest();
    const broken = { ...response, type: 'password' };
    expect((await browser.post(REGISTER, broken)).status).toBe(400);
    expect((await browser.post(REGISTER, response)).json()['error']).toContain('start again');
  });

  it('400 | login/verify | challenge for another purpose, and it is consumed', async () => {
    await browser.signUp();
    const creation = await browser.creationOptions({});
    const { challenge } = creation;
    const response = await browser.assert({ overrides: { challenge } });
    expect((await browser.post(LOGIN, response)).json()['error']).toContain('start again');
    const attestation = await new SoftAuthenticator().create(creation, gatehouse.origin);
    expect((await browser.post(REGISTER, attestation)).json()['error']).toContain('start again');
  });

  it('400 | register/verify | challenge for another purpose, and it is consumed', async () => {
    await browser.signUp();
    const request = await browser.requestOptions();
    const creation = { ...(await browser.creationOptions({})), challenge: request.challenge };
    const attestation = await new SoftAuthenticator().create(creation, gatehouse.origin);
    expect((await browser.post(REGISTER, attestation)).json()['error']).toContain('start again');
    const assertion = await browser.authenticator.get(request, gatehouse.origin);
    expect((await browser.post(LOGIN, assertion)).json()['error']).toContain('start again');
  });

  describe('of signing in carry their own proof', () => {
    itWithClock('are good for 5 minutes', async () => {
      await browser.signUp();
      const responses = [await browser.assert(), await browser.assert()];
      advanceClock(5 * MINUTE_MS - MINUTE_MS);
      expect((await browser.post(LOGIN, responses[0])).status).toBe(200);
      advanceClock(MINUTE_MS + 1);
      const late = await browser.post(LOGIN, responses[1]);
      expect([late.status, late.json()['error']]).toEqual([
        400,
        expect.stringContaining('start again'),
      ]);
    });

    it('400 | login/verify | challenge spelt otherwise, although it decodes to the same', async () => {
      await browser.signUp();
      const options = await browser.requestOptions();
      const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const at = last.indexOf(options.challenge.slice(-1));
      const challenge = options.challenge.slice(0, -1) + last.charAt(at + 1);
      const other = await browser.authenticator.get(options, gatehouse.origin, {
        overrides: { challenge },
      });
      expect((await browser.post(LOGIN, other)).json()['error']).toContain('start again');
      const response = await browser.authenticator.get(options, gatehouse.origin);
      expect((await browser.post(LOGIN, response)).status).toBe(200);
    });

    it('are proven with a key that is kept for the next start', async () => {
      await browser.signUp();
      const response = await browser.assert();
      const again = await startGatehouse({}, gatehouse);
      try {
        expect((await browser.at(again).post(LOGIN, response)).status).toBe(200);
      } finally {
        await again.stop();
      }
    });
  });

  it('a visitor holds as many as his limit, and pushes out those of no other', async () => {
    const limited = await startGatehouse({
      RATE_LIMIT_MAX: '3',
      RATE_LIMIT_PERIOD: '1',
      TRUSTED_PROXIES: 'loopback',
    });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const begin = (address: string) =>
      eventually(async () => {
        const person = new Browser(limited);
        const fields = { displayName: 'Ann' };
        const options = await person.post('/svc/auth/register/options', fields, from(address));
        expect(options.status).toBe(200);
        return person.authenticator.create(options.json(), limited.origin);
      });
    try {
      const responses = [await begin('192.0.2.1')];
      for (let n = 0; n < 5; n += 1) responses.push(await begin('192.0.2.2'));
      const answers = await Promise.all(
        responses.map((response, n) =>
          new Browser(limited).post(REGISTER, response, from(`198.51.100.${n}`)),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200, 200, 200]);
    } finally {
      await limited.stop();
    }
  });

  it('of 32 parallel verifications of one registration one succeeds', async () => {
    const response = await browser.attest();
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => new Browser(gatehouse).post(REGISTER, response)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(31).fill(400)]);
  });

  it('of 32 parallel verifications of one sign-in one succeeds', async () => {
    await browser.signUp();
    const response = await browser.assert();
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => new Browser(gatehouse).post(LOGIN, response)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(31).fill(400)]);
  });

  it('of 32 parallel calls for the wrong purpose none leaves the challenge to the right one', async () => {
    await browser.signUp();
    const creation = await browser.creationOptions({});
    const wrong = await browser.assert({ overrides: { challenge: creation.challenge } });
    const right = await new SoftAuthenticator().create(creation, gatehouse.origin);
    const calls = Array.from({ length: 32 }, () => browser.post(LOGIN, wrong));
    const answers = await Promise.all(calls);
    expect(answers.every(({ status }) => status === 400)).toBe(true);
    expect((await browser.post(REGISTER, right)).status).toBe(400);
  });

  const ownStorage = globalThis.STORAGE === 'embedded';
  (ownStorage ? it.skip : it)(
    'two replicas share them (embedded storage has one replica)',
    async () => {
      const replica = await startGatehouse({}, gatehouse);
      try {
        const response = await browser.attest();
        const there = browser.at(replica);
        const answers = await Promise.all(
          Array.from({ length: 32 }, (_, n) => (n % 2 ? there : browser).post(REGISTER, response)),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect((await browser.at(replica).signIn()).status).toBe(200);
      } finally {
        await replica.stop();
      }
    },
  );
});
