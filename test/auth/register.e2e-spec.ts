import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { ALG, SoftAuthenticator } from '../support/soft-authenticator/index.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';

describe('registration (contract: Registration)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SERVICE_NAME: 'Test Gate' }));
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  describe('POST register/options', () => {
    it('offers a new account', async () => {
      const options = await browser.creationOptions({ displayName: '  Ann \n  B ' });
      expect(options).toEqual({
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        rp: { name: 'Test Gate', id: 'localhost' },
        user: { id: expect.any(String), name: 'Ann B', displayName: 'Ann B' },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { credProps: true },
        hints: [],
      });
      const userId = Buffer.from(options.user.id, 'base64url').toString();
      expect(userId).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
    });

    it('gives every call another challenge and another user', async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => browser.creationOptions()));
      expect(new Set(all.map(({ challenge }) => challenge)).size).toBe(50);
      expect(new Set(all.map(({ user }) => user.id)).size).toBe(50);
    });

    it('400 | signed in and any displayName | already signed in; sign out first', async () => {
      await browser.signUp();
      const answer = await browser.post(OPTIONS, { displayName: null });
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toContain('sign out first');
    });

    it('offers a further passkey to the account that is signed in', async () => {
      const created = (await browser.signUp('Ann')).json<{ user: { id: string } }>();
      const options = await browser.creationOptions({});
      const [passkey] = browser.authenticator.list('localhost');
      expect(options.user).toEqual({
        id: Buffer.from(created.user.id).toString('base64url'),
        name: 'Ann',
        displayName: 'Ann',
      });
      expect(options.excludeCredentials).toEqual([
        { id: passkey?.id, type: 'public-key', transports: ['hybrid', 'internal'] },
      ]);
    });
  });

  describe('POST register/verify', () => {
    it.each([
      ['EdDSA', ALG.EdDSA],
      ['ES256', ALG.ES256],
      ['RS256', ALG.RS256],
    ])('creates an account with %s that can sign in', async (_name, alg) => {
      const answer = await browser.signUp('Ann', { alg });
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ user: { id: expect.any(String), displayName: 'Ann' } });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(await browser.me()).toMatchObject(answer.json());
      browser.cookie = undefined;
      expect((await browser.signIn()).json()).toEqual(answer.json());
    });

    it('the user handle is the user id', async () => {
      const { user } = (await browser.signUp()).json<{ user: { id: string } }>();
      const [passkey] = browser.authenticator.list('localhost');
      expect(Buffer.from(passkey?.userHandle ?? '', 'base64url').toString()).toBe(user.id);
    });

    it('takes packed self-attestation', async () => {
      expect((await browser.signUp('Ann', { overrides: { fmt: 'packed' } })).status).toBe(200);
    });

    it('adds a passkey without a new cookie, and both sign in', async () => {
      const { user } = (await browser.signUp()).json<{ user: object }>();
      const second = new Browser(gatehouse, SoftAuthenticator.securityKey());
      second.cookie = browser.cookie;
      const added = await second.addPasskey();
      expect([added.status, added.json()]).toEqual([200, { user }]);
      expect(added.headers['set-cookie']).toBeUndefined();
      second.cookie = undefined;
      expect((await second.signIn()).json()).toEqual({ user });
      expect((await browser.signIn()).json()).toEqual({ user });
    });

    it('403 | register/verify, purpose add | no session | sign in again to add a passkey', async () => {
      await browser.signUp();
      const response = await new SoftAuthenticator().create(
        await browser.creationOptions({}),
        gatehouse.origin,
      );
      browser.cookie = undefined;
      const answer = await browser.post(VERIFY, response);
      expect(answer.status).toBe(403);
      expect(answer.json()['error']).toContain('sign in again');
    });

    it('403 | register/verify, purpose add | session user differs from the challenge’s user', async () => {
      await browser.signUp();
      const response = await new SoftAuthenticator().create(
        await browser.creationOptions({}),
        gatehouse.origin,
      );
      const other = new Browser(gatehouse);
      await other.signUp('Eve');
      expect((await other.post(VERIFY, response)).status).toBe(403);
      expect((await other.creationOptions({})).excludeCredentials).toHaveLength(1);
    });

    it('409 | credential id already registered | passkey already registered', async () => {
      await browser.signUp();
      const [taken] = browser.authenticator.list('localhost');
      const other = new Browser(gatehouse);
      const credentialId = taken?.id ?? '';
      const answer = await other.signUp('Eve', { overrides: { credentialId } });
      expect(answer.status).toBe(409);
      expect(answer.json()['error']).toContain('already registered');
      expect(answer.headers['set-cookie']).toBeUndefined();
      browser.cookie = undefined;
      expect((await browser.signIn()).json()).toMatchObject({ user: { displayName: 'Ann' } });
    });

    it('409 comes before 403 for an added passkey', async () => {
      await browser.signUp();
      const [taken] = browser.authenticator.list('localhost');
      const response = await new SoftAuthenticator()
        .create(await browser.creationOptions({}), gatehouse.origin, {
          overrides: { credentialId: taken?.id ?? '' },
        })
        .catch(() => undefined);
      expect(response).toBeDefined();
      browser.cookie = undefined;
      expect((await browser.post(VERIFY, response)).status).toBe(409);
    });

    it('ends the session that the same request carried', async () => {
      const response = await browser.attest();
      const other = new Browser(gatehouse);
      await other.signUp('Other');
      const carried = other.cookie;
      expect((await other.post(VERIFY, response)).status).toBe(200);
      other.cookie = carried;
      expect((await other.me()).user).toBeNull();
    });
  });
});
