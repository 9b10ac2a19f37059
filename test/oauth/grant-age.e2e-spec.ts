import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';

const DAY = 24 * 60 * 60;
const LIMIT = { GRANT_MAX_DAYS: '2' };

describe('GRANT_MAX_DAYS (contract: Refresh)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const apps = async () =>
    (await browser.get('/svc/me/apps')).json<{
      apps: { createdAt: number; expiresAt: number }[];
    }>().apps;
  const lifetime = async () =>
    (await apps()).map(({ createdAt, expiresAt }) => expiresAt - createdAt);
  const alive = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;
  const refreshed = async (token: string) => {
    const answer = await client.refresh(token);
    expect(answer.status).toBe(200);
    return answer.json<TokenResponse>();
  };
  /** Lets so many seconds pass for the grants, not for their tokens. */
  const age = (seconds: number) =>
    gatehouse.app.get(DataSource).query(
      `UPDATE oauth_grants SET created_at = created_at - ${seconds * 1000},
                               expires_at = expires_at - ${seconds * 1000}`,
    );
  const begin = async (variables: Record<string, string>, shared?: Gatehouse) => {
    gatehouse = await startGatehouse(variables, shared);
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser);
  };

  afterEach(() => gatehouse.stop());

  it('a grant ends so long after consent, however often it is refreshed', async () => {
    await begin(LIMIT);
    expect(await lifetime()).toEqual([2 * DAY]);
    expect((await browser.get(client.authorizePath())).text).toContain('2 days from now');
    const second = await refreshed(first.refresh_token);
    await refreshed(second.refresh_token);
    expect(await lifetime()).toEqual([2 * DAY]);
    await age(2 * DAY - 60);
    const last = await refreshed(second.refresh_token);
    expect(await lifetime()).toEqual([2 * DAY]);
    expect(last.expires_in).toBeGreaterThan(0);
    expect(last.expires_in).toBeLessThanOrEqual(60);
    expect(await alive(last)).toBe(true);
    await age(60);
    expect(await alive(last)).toBe(false);
    expect(await apps()).toEqual([]);
    const answer = await client.refresh(last.refresh_token);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
  });

  it('an access token is told to last no longer than its grant, else an hour', async () => {
    await begin(LIMIT);
    expect(first.expires_in).toBe(3600);
    await age(2 * DAY - 1800);
    const { expires_in: seconds } = await refreshed(first.refresh_token);
    expect(seconds).toBeGreaterThan(1700);
    expect(seconds).toBeLessThanOrEqual(1800);
  });

  it('unset, a grant goes on while it is used: 30 days from the last refresh', async () => {
    await begin({});
    await age(29 * DAY);
    expect((await refreshed(first.refresh_token)).expires_in).toBe(3600);
    const [seconds = 0] = await lifetime();
    expect(Math.abs(seconds - 59 * DAY)).toBeLessThan(60);
  });

  it('counts for grants that were there before it was set', async () => {
    await begin({});
    await age(3 * DAY);
    const old = first;
    expect(await alive(old)).toBe(true);
    const replica = await startGatehouse(LIMIT, gatehouse);
    try {
      const there = client.at(replica);
      expect((await there.mcp(old.access_token)).status).toBe(401);
      expect((await there.refresh(old.refresh_token)).json()['error']).toBe('invalid_grant');
      expect(await apps()).toEqual([]);
    } finally {
      await replica.stop();
    }
  });
});
