import { randomBytes } from 'node:crypto';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { liveHeapBytes } from '../support/heap.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const DAY = 24 * 60 * 60 * 1000;
const AT_ONCE = 16;
const WARM_UP = 240;
const FLOOD = 1_040;
const ALLOWED = 300;
/** What signing up and a registration take of it. */
const SPENT = 3;
const MARGIN_BYTES = 10 * 1024 * 1024;

describe('a flood of unknown apps', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let app: OAuthClient;

  afterEach(() => gatehouse.stop());

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

  /** How often each status came. */
  async function flood(send: () => Promise<Answer>, requests: number) {
    const statuses: Record<number, number> = {};
    const sender = async (share: number) => {
      for (let n = 0; n < share; n += 1) {
        const { status } = await send();
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, () => sender(requests / AT_ONCE)));
    return statuses;
  }

  const manager = () => gatehouse.app.get(DataSource).manager;
  const rows = (table: string) => manager().count(table);

  /** As every ten minutes. */
  async function sweep() {
    const providers = gatehouse.app.get(DiscoveryService, { strict: false }).getProviders();
    for (const { instance } of providers) {
      if (instance instanceof SweeperService) await instance.sweep();
    }
  }

  it('is cut off by the limit of its visitor', async () => {
    await start({ RATE_LIMIT_MAX: String(ALLOWED), RATE_LIMIT_PERIOD: '600' });
    const sent = await Promise.all(Object.values(floods).map((send) => flood(send, 800)));
    const answered = sent.map(({ 429: refused = 0 }) => 800 - refused);
    expect(answered.reduce((sum, share) => sum + share, 0)).toBe(ALLOWED - SPENT);
    expect(await rows('oauth_clients')).toBe(1 + (sent[2]?.[201] ?? 0));
    expect(sent[2]).toEqual({ 201: answered[2], 429: 800 - (answered[2] ?? 0) });
  });

  it('leaves no memory behind, and no rows but registrations, which are gone after 30 days', async () => {
    await start({});
    const everything = (requests: number) =>
      Promise.all(Object.values(floods).map((send) => flood(send, requests)));
    await everything(WARM_UP);
    const before = await liveHeapBytes();
    const outcome = await everything(FLOOD);
    expect(await liveHeapBytes()).toBeLessThan(before + MARGIN_BYTES);
    expect(outcome[2]).toEqual({ 201: FLOOD });

    await app.connect(browser);
    expect(await rows('oauth_clients')).toBe(1 + WARM_UP + FLOOD);
    expect(await rows('oauth_consents')).toBe(0);
    expect(await rows('oauth_grants')).toBe(1);
    const passTime = (ms: number) =>
      manager().query(`UPDATE oauth_clients SET expires_at = expires_at - ${ms}`);
    await passTime(29 * DAY);
    await sweep();
    expect(await rows('oauth_clients')).toBe(1 + WARM_UP + FLOOD);
    await passTime(DAY);
    await sweep();
    expect(await rows('oauth_clients')).toBe(1);
    expect((await browser.get(app.authorizePath())).status).toBe(200);
  });
});
