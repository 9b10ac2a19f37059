import { type Challenge, ChallengeStore } from '#libs/passkeys';
import { recoveryLinkOf } from '../account/own-account.js';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { createInvite } from '../support/invite.js';
import { countStored, storedIn } from '../support/stored.js';

/** A team's own store, which counts the challenges it is given. */
class CountingStore extends ChallengeStore {
  kept = 0;

  override async put() {
    this.kept += 1;
  }

  override async take(): Promise<Challenge | undefined> {
    return undefined;
  }
}

/** Reads the database, because no request shows what is stored. */
describe('what is stored', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SIGN_UP: 'invite' }));
  let browser: Browser;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann', { invite: (await createInvite(gatehouse)).code });
  });

  async function expectHashOf(secret: string, table: string) {
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(secret));
    const rows = await storedIn(gatehouse, table);
    expect(rows).toContain(Buffer.from(digest).toString('base64url'));
    expect(rows).not.toContain(secret);
  }

  it('of a session: the SHA-256 of its token (contract: Sessions)', async () => {
    await expectHashOf(browser.cookie?.split('=')[1] ?? '', 'sessions');
  });

  it('of recovery codes and links: their SHA-256 (contract: Recovery)', async () => {
    const { codes } = (await browser.post('/svc/me/recovery-codes')).json<{ codes: string[] }>();
    const { user } = await browser.me();
    const link = new URL(await recoveryLinkOf(gatehouse, user?.id ?? '')).hash.slice(1);
    for (const code of [...codes, link]) {
      await expectHashOf(code.replaceAll('-', ''), 'recovery_codes');
    }
  });

  it('of an invite: the SHA-256 of its code (contract: Sign-up)', async () => {
    const { code } = await createInvite(gatehouse);
    await expectHashOf(code.replaceAll('-', ''), 'invites');
  });

  it.each([
    ['closed', 0],
    ['invite', 0],
    ['open', 1],
  ])(
    'of a sign-up that begins while it is %s: %i challenges (contract: Sign-up)',
    async (signUp, kept) => {
      const store = new CountingStore();
      const replacements = { passkeys: [{ provide: ChallengeStore, useValue: store }] };
      const own = await startGatehouse({ SIGN_UP: signUp }, undefined, [{ replacements }]);
      try {
        const fields = { displayName: 'Ann', invite: 'AAAA-AAAA' };
        await new Browser(own).post('/svc/auth/register/options', fields);
        expect(store.kept).toBe(kept);
      } finally {
        await own.stop();
      }
    },
  );

  describe('of sign-in challenges (contract: Challenges)', () => {
    const LOGIN = '/svc/auth/login/verify';
    const REGISTER = '/svc/auth/register/verify';
    const presented = () => countStored(gatehouse, 'taken_challenges');

    it('nothing for who asks, nor for one that was never issued', async () => {
      const before = await presented();
      await Promise.all(Array.from({ length: 50 }, () => browser.requestOptions()));
      const clientData = { type: 'webauthn.get', challenge: 'c'.repeat(43), origin: 'http://x' };
      const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url');
      for (const path of [LOGIN, REGISTER])
        await browser.post(path, { response: { clientDataJSON } });
      expect(await presented()).toBe(before);
    });

    it.each([REGISTER, LOGIN])('that one was presented, once, at %s', async (path) => {
      const response = await browser.assert();
      const before = await presented();
      const answers = [
        await browser.post(path, { ...response, id: 'x' }),
        await browser.post(LOGIN, response),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      expect(await presented()).toBe(before + 1);
    });
  });
});
