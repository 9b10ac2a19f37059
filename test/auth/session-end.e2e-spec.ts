import { passkeysOf } from '../account/own-account.js';
import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { itWithClock } from '../support/services/describe-with.js';
import { beforeNextTransaction } from '../support/transactions.js';

const VERIFY = '/svc/auth/register/verify';
const DAY_MS = 24 * 60 * 60_000;

describe('403 | a further passkey of a session that ends meanwhile (contract: Registration)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  /** Another device with the same session. */
  let phone: Browser;

  const ends: [string, () => Promise<unknown>][] = [
    ['signed out', () => browser.post('/svc/auth/logout')],
    ['replaced by a sign-in', () => browser.signIn()],
  ];
  const expectOnePasskey = async () => {
    restoreClock();
    await browser.signIn();
    expect(await passkeysOf(browser)).toHaveLength(1);
  };
  const hold = async () => {
    const body = JSON.stringify(await phone.attest({}, {}));
    return holdBody(gatehouse, phone, VERIFY, { type: 'application/json', body });
  };

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    phone = new Browser(gatehouse);
    phone.cookie = browser.cookie;
  });

  it.each(ends)('%s while the body is open', async (_how, end) => {
    const held = await hold();
    await end();
    expect((await held.finish()).status).toBe(403);
    await expectOnePasskey();
  });

  itWithClock('expired while the body is open', async () => {
    const held = await hold();
    advanceClock(7 * DAY_MS + 1);
    expect((await held.finish()).status).toBe(403);
    await expectOnePasskey();
  });

  it.each(ends)('%s right before it is written', async (_how, end) => {
    const response = await phone.attest({}, {});
    beforeNextTransaction(gatehouse, end);
    expect((await phone.post(VERIFY, response)).status).toBe(403);
    await expectOnePasskey();
  });

  itWithClock('expired right before it is written', async () => {
    const response = await phone.attest({}, {});
    beforeNextTransaction(gatehouse, async () => advanceClock(7 * DAY_MS + 1));
    expect((await phone.post(VERIFY, response)).status).toBe(403);
    await expectOnePasskey();
  });
});
