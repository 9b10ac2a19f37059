import type { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { PASSKEYS, passkeysOf, signedUp, withFurtherPasskey } from './own-account.js';

const VERIFY = '/svc/auth/login/verify';

describe('sign-in with a passkey that was deleted (contract: Login)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  /** The browser with the deleted passkey. */
  let lost: Browser;

  beforeEach(async () => {
    browser = await signedUp(gatehouse);
    lost = await withFurtherPasskey(gatehouse, browser);
    const id = (await passkeysOf(browser))[0]?.id ?? '';
    await browser.send('DELETE', `${PASSKEYS}/${id}`);
  });

  it('400 with Passkey-Signal: unknown, again and again', async () => {
    for (let n = 0; n < 2; n += 1) {
      const answer = await lost.signIn();
      expect([answer.status, answer.headers['passkey-signal']]).toEqual([400, 'unknown']);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });

  it('400 without it for a passkey that never was here', async () => {
    const answer = await lost.post(VERIFY, { ...(await lost.assert()), id: 'A'.repeat(22) });
    expect([answer.status, answer.headers['passkey-signal']]).toEqual([400, undefined]);
  });

  it.each([
    ['on another origin', { origin: 'https://evil.example' }],
    ['without an origin', { clientData: { origin: undefined } }],
    ['in a frame of another origin', { crossOrigin: true }],
    ['with a used challenge', { challenge: 'A'.repeat(43) }],
  ])('400 without it for a response made %s', async (_where, overrides) => {
    const answer = await lost.signIn({ overrides: overrides as never });
    expect([answer.status, answer.headers['passkey-signal']]).toEqual([400, undefined]);
  });

  it('the header never goes with any other answer', async () => {
    const answer = await browser.signIn();
    expect([answer.status, answer.headers['passkey-signal']]).toEqual([200, undefined]);
  });
});
