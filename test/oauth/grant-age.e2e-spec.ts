import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '../support/clock.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const DAY = 24 * 60 * 60;
const LIMIT = { GRANT_MAX_DAYS: '2' };
const FEW = 600;

describe('GRANT_MAX_DAYS (contract: Token endpoint)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const lifetimes = async () => {
    const { apps } = (await browser.get('/svc/me/apps')).json<{
      apps: { createdAt: number; expiresAt: number }[];
    }>();
    return apps.map(({ createdAt, expiresAt }) => expiresAt - createdAt);
  };
  const statusOf = async ({ access_token: token }: TokenResponse, at = client) =>
    (await at.mcp(token)).status;
  const refreshed = async ({ refresh_token: token }: TokenResponse) => {
    const answer = await client.refresh(token);
    expect(answer.status).toBe(200);
    return answer.json<TokenResponse>();
  };
  const refused = async ({ refresh_token: token }: TokenResponse, at = client) => {
    const answer = await at.refresh(token);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
  };
  const pass = (seconds: number) => advanceClock(seconds * 1000);
  const begin = async (variables: Record<string, string>) => {
    gatehouse = await startGatehouse(variables);
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser);
  };

  afterEach(async () => {
    restoreClock();
    await gatehouse.stop();
  });

  itWithClock(
    'a grant ends that many days after consent, however often it is refreshed',
    async () => {
      await begin(LIMIT);
      expect(first.expires_in).toBe(3600);
      expect(await lifetimes()).toEqual([2 * DAY]);
      expect((await browser.get(client.authorizePath())).text).toContain('2 days from now');
      pass(DAY);
      const second = await refreshed(first);
      expect(await lifetimes()).toEqual([2 * DAY]);
      pass(DAY - FEW);
      const last = await refreshed(second);
      expect(await lifetimes()).toEqual([2 * DAY]);
      expect(last.expires_in).toBeGreaterThan(0);
      expect(last.expires_in).toBeLessThanOrEqual(FEW);
      expect(await statusOf(last)).toBe(200);
      pass(FEW);
      expect(await statusOf(last)).toBe(401);
      expect(await lifetimes()).toEqual([]);
      await refused(last);
    },
  );

  itWithClock('counts for grants that were there before it was set', async () => {
    await begin({});
    pass(3 * DAY);
    const old = await refreshed(first);
    expect(await statusOf(old)).toBe(200);
    const replica = await startGatehouse(LIMIT, gatehouse);
    try {
      const there = client.at(replica);
      expect(await statusOf(old, there)).toBe(401);
      await refused(old, there);
      expect(await lifetimes()).toEqual([]);
    } finally {
      await replica.stop();
    }
  });
});
