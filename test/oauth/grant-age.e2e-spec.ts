import { decodeJwt } from 'jose';
import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { type ListedResource, ResourceFiles } from '../support/resource-files.js';
import { itWithClock } from '../support/services/describe-with.js';

const DAY = 24 * 60 * 60;
const LIMIT = { GRANT_MAX_DAYS: '2' };
const FEW = 600;
const REPORTS = {
  resource: 'https://reports.example/mcp',
  name: 'Reports',
  scopes: [{ name: 'reports:read', description: 'read your reports' }],
  tokens: 'jwt',
} as const satisfies ListedResource;

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

  itWithClock('a JWT ends with its grant', async () => {
    const files = await ResourceFiles.of(REPORTS);
    try {
      await begin({ ...LIMIT, ...files.variables });
      const { resource } = REPORTS;
      const early = await client.connect(browser, ['reports:read'], { resource });
      expect(early.expires_in).toBe(600);
      pass(2 * DAY - FEW / 2);
      const { access_token: token, expires_in: lifetime } = await refreshed(early);
      const { iat = 0, exp } = decodeJwt(token);
      expect(exp).toBe(iat + lifetime);
      expect(lifetime).toBeGreaterThan(0);
      expect(lifetime).toBeLessThanOrEqual(FEW / 2);
    } finally {
      files.remove();
    }
  });

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

describe('GRANT_MAX_DAYS (contract: Managed access)', () => {
  let managed: ManagedAccess;

  beforeAll(async () => {
    managed = await startManagedAccess({ variables: LIMIT });
  });
  afterEach(restoreClock);
  afterAll(() => managed.stop());

  itWithClock(
    'a grant ends that many days after its first assertion, and the next assertion begins a new one',
    async () => {
      const lifetimeOfNext = async () => {
        const iat = Math.floor(Date.now() / 1000);
        const assertion = await managed.assertion('ann', { iat, exp: iat + 60 });
        const answer = await managed.present(assertion);
        expect(answer.status).toBe(200);
        return answer.json<TokenResponse>().expires_in;
      };
      expect(await lifetimeOfNext()).toBe(3600);
      advanceClock((2 * DAY - FEW) * 1000);
      const last = await lifetimeOfNext();
      expect(last).toBeGreaterThan(0);
      expect(last).toBeLessThanOrEqual(FEW);
      advanceClock(FEW * 1000);
      expect(await lifetimeOfNext()).toBe(3600);
      const granted = managed.events.filter(({ type }) => type === 'managed-access-granted');
      expect(granted).toHaveLength(2);
    },
  );
});
