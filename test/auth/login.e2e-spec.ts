import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

const OPTIONS = '/svc/auth/login/options';
const VERIFY = '/svc/auth/login/verify';

describe('login (contract: Login)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  describe('POST login/options', () => {
    it('asks for any passkey of this site', async () => {
      expect(await browser.requestOptions()).toEqual({
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        timeout: 300_000,
        userVerification: 'required',
        rpId: 'localhost',
      });
    });

    it('ignores fields, and a session', async () => {
      await browser.signUp();
      const answer = await browser.post(OPTIONS, { displayName: 7, allowCredentials: 'x' });
      expect([answer.status, answer.json()['allowCredentials']]).toEqual([200, undefined]);
    });
  });

  describe('POST login/verify', () => {
    it('signs in and sets the session cookie', async () => {
      const created = await browser.signUp('Ann');
      browser.cookie = undefined;
      const answer = await browser.signIn();
      expect([answer.status, answer.json()]).toEqual([200, created.json()]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(await browser.me()).toMatchObject(created.json());
    });

    it('a security key signs in again and again, each time with a higher count', async () => {
      browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
      await browser.signUp();
      for (let time = 0; time < 3; time += 1) expect((await browser.signIn()).status).toBe(200);
    });

    it('a synced passkey always counts 0 and signs in again and again', async () => {
      await browser.signUp();
      for (let time = 0; time < 3; time += 1) expect((await browser.signIn()).status).toBe(200);
    });

    it('a copy of a security key is found out by its counter', async () => {
      browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
      await browser.signUp();
      const copy = new Browser(gatehouse, browser.authenticator.clone());
      expect((await browser.signIn()).status).toBe(200);
      const answer = await copy.signIn();
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toContain('may be a copy');
      expect((await browser.signIn()).status).toBe(200);
    });

    it('ends the session that the same request carried', async () => {
      await browser.signUp();
      const carried = browser.cookie;
      await browser.signIn();
      const renewed = browser.cookie;
      expect(renewed).not.toBe(carried);
      browser.cookie = carried;
      expect((await browser.me()).user).toBeNull();
      browser.cookie = renewed;
      expect((await browser.me()).user).not.toBeNull();
    });

    it('leaves other sessions of the account alone', async () => {
      await browser.signUp();
      const other = new Browser(gatehouse, browser.authenticator);
      await other.signIn();
      expect((await browser.me()).user).not.toBeNull();
    });

    it('400 | login/verify | credential unknown | passkey not registered here', async () => {
      const stranger = await browser.attest();
      const answer = await browser.signIn({ credentialId: stranger.id });
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toContain('not registered here');
    });

    describe('400 | login/verify | user handle differs from the credential’s owner | passkey belongs to another account', () => {
      it.each([
        ['another user', Buffer.from('another user').toString('base64url')],
        ['empty', ''],
      ])('%s', async (_what, userHandle) => {
        await browser.signUp();
        const answer = await browser.signIn({ overrides: { userHandle } });
        expect(answer.status).toBe(400);
        expect(answer.json()['error']).toContain('another account');
      });

      it.each([12, {}])('of the wrong type: %j', async (userHandle) => {
        await browser.signUp();
        const response = await browser.assert();
        const inner = { ...response.response, userHandle };
        await browser.agent
          .post(VERIFY)
          .send({ ...response, response: inner })
          .expect(400);
      });

      it.each([null, false] as const)('absent or null is accepted: %j', async (userHandle) => {
        await browser.signUp();
        expect((await browser.signIn({ overrides: { userHandle } })).status).toBe(200);
      });
    });
  });
});
