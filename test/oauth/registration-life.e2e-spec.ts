import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

describe('how long registrations are kept (contract: Client registration)', () => {
  const gatehouse = useGatehouse(() =>
    startGatehouse({ SESSION_IDLE_DAYS: '365', SESSION_MAX_DAYS: '365' }),
  );
  let browser: Browser;
  let app: OAuthClient;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    app = await OAuthClient.register(gatehouse);
  });

  const isKnown = async () => {
    const { status, text } = await browser.get(app.authorizePath());
    if (status !== 200) expect([status, text]).toEqual([400, expect.stringMatching(/^Unknown/)]);
    return status === 200;
  };
  const pass = (days: number, minutes = 0) => advanceClock(days * DAY + minutes * MINUTE);
  const endsAfter = async (days: number) => {
    pass(days, -10);
    expect(await isKnown()).toBe(true);
    pass(0, 10);
    expect(await isKnown()).toBe(false);
  };

  itWithClock('never approved: 30 days, however often its form is shown', async () => {
    await app.showConsent(browser);
    await endsAfter(30);
  });

  itWithClock('denied: 30 days', async () => {
    await app.answerConsent(browser, await app.showConsent(browser), [], 'deny');
    await endsAfter(30);
  });

  itWithClock('approved late in its life: 90 days from then on', async () => {
    pass(29);
    await app.authorize(browser);
    await endsAfter(90);
  });

  itWithClock('refreshed late in its life: 90 days from then on', async () => {
    let { refresh_token: token } = await app.connect(browser);
    for (let time = 1; time <= 4; time += 1) {
      pass(29);
      const answer = await app.refresh(token);
      expect(answer.status).toBe(200);
      ({ refresh_token: token } = answer.json<TokenResponse>());
    }
    await endsAfter(90);
  });

  itWithClock('401 | token | a client whose registration has ended', async () => {
    const { refresh_token: token } = await app.connect(browser);
    pass(90);
    const answer = await app.refresh(token);
    expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_client']);
  });
});
