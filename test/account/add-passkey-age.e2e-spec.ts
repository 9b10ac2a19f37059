import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { signedUp, withFurtherPasskey } from './own-account.js';

const MINUTE_MS = 60_000;
const OPTIONS = '/svc/auth/register/options';

describe('ADD_PASSKEY_MAX_AGE (contract: Registration)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  const start = async (variables: Record<string, string>) => {
    gatehouse = await startGatehouse(variables);
    browser = await signedUp(gatehouse);
  };
  afterEach(async () => {
    restoreClock();
    await gatehouse.stop();
  });

  itWithClock(
    '403 sign_in_again | register/options in a session that began longer ago',
    async () => {
      await start({ ADD_PASSKEY_MAX_AGE: '2' });
      advanceClock(2 * MINUTE_MS - 60_000);
      expect((await browser.post(OPTIONS, {})).status).toBe(200);
      advanceClock(60_000 + 1);
      const answer = await browser.post(OPTIONS, {});
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: expect.any(String), reason: 'sign_in_again' },
      ]);
      expect((await browser.post(OPTIONS, { displayName: 'Ann' })).status).toBe(400);
      await browser.signIn();
      expect(
        (await withFurtherPasskey(gatehouse, browser)).authenticator.list('localhost'),
      ).toHaveLength(1);
    },
  );

  it('a new account is not asked for a session', async () => {
    await start({ ADD_PASSKEY_MAX_AGE: '1' });
    expect((await new Browser(gatehouse).signUp('Eve')).status).toBe(200);
  });

  itWithClock('unset, any session adds one', async () => {
    await start({});
    advanceClock(6 * 24 * 60 * MINUTE_MS);
    expect((await browser.post(OPTIONS, {})).status).toBe(200);
  });
});
