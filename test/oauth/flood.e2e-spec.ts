import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { advanceClock, liveHeapBytes, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const DAY = 24 * 60 * 60 * 1000;
const AT_ONCE = 16;
const WARM_UP = 240;
const FLOOD = 480;
const FLOODS = 4;
const ALLOWED = 300;
/** The part of the limit that signing up and a registration use. */
const SPENT = 3;
const MARGIN_BYTES = 4 * 1024 * 1024;

describe('a flood of unknown apps', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let app: OAuthClient;

  afterEach(async () => {
    restoreClock();
    await gatehouse.stop();
  });

  async function start(variables: Record<string, string>) {
    gatehouse = await startGatehouse(variables);
    browser = new Browser(gatehouse);
    await browser.signUp();
    app = await OAuthClient.register(gatehouse);
  }

  const anyId = () => randomBytes(12).toString('hex');
  const floods: Record<string, () => Promise<Answer>> = {
    'authorize, unknown client_id': () => browser.get(app.authorizePath({ client_id: anyId() })),
    'authorize, unknown document': () =>
      browser.get(app.authorizePath({ client_id: `https://${anyId()}.localhost/app.json` })),
    registration: () =>
      app.send('POST', '/svc/oauth/register', JSON.stringify({ redirect_uris: [REDIRECT_URI] })),
  };

  /** How often each status was answered; a 503 is retried, because a busy machine sheds load. */
  async function flood(send: () => Promise<Answer>, requests: number) {
    const statuses: Record<number, number> = {};
    const sender = async (share: number) => {
      for (let n = 0; n < share; n += 1) {
        let { status } = await send();
        while (status === 503) ({ status } = await send());
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, () => sender(requests / AT_ONCE)));
    return statuses;
  }

  /** Only storage shows what a flood leaves behind. */
  const rows = (table: string) => gatehouse.app.get(DataSource).manager.count(table);

  it('is cut off by the limit of its visitor', async () => {
    await start({ RATE_LIMIT_MAX: String(ALLOWED), RATE_LIMIT_PERIOD: '600' });
    const sent = await Promise.all(Object.values(floods).map((send) => flood(send, 800)));
    const answered = sent.map(({ 429: refused = 0 }) => 800 - refused);
    expect(answered.reduce((sum, share) => sum + share, 0)).toBe(ALLOWED - SPENT);
    expect(await rows('oauth_clients')).toBe(1 + (sent[2]?.[201] ?? 0));
    expect(sent[2]).toEqual({ 201: answered[2], 429: 800 - (answered[2] ?? 0) });
  });

  itWithClock('leaves no memory behind, and no rows but registrations of 30 days', async () => {
    await start({ SESSION_IDLE_DAYS: '60', SESSION_MAX_DAYS: '60' });
    const stranger = await OAuthClient.register(gatehouse);
    const everything = (requests: number) =>
      Promise.all(Object.values(floods).map((send) => flood(send, requests)));
    await everything(WARM_UP);
    // What leaks grows with each flood; what is compiled or cached on the way does not.
    const growths: number[] = [];
    for (let nth = 0; nth < FLOODS; nth += 1) {
      const before = await liveHeapBytes();
      const outcome = await everything(FLOOD);
      growths.push((await liveHeapBytes()) - before);
      expect(outcome[2]).toEqual({ 201: FLOOD });
    }
    expect(Math.min(...growths)).toBeLessThan(MARGIN_BYTES);

    await app.connect(browser);
    expect(await rows('oauth_clients')).toBe(2 + WARM_UP + FLOODS * FLOOD);
    expect(await rows('oauth_consents')).toBe(0);
    expect(await rows('oauth_grants')).toBe(1);
    const pages = async () => [
      (await browser.get(stranger.authorizePath())).status,
      (await browser.get(app.authorizePath())).status,
    ];
    advanceClock(29 * DAY);
    expect(await pages()).toEqual([200, 200]);
    advanceClock(DAY);
    expect(await pages()).toEqual([400, 200]);
  });
});
