import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

describe('refresh tokens (contract: Refresh)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const refresh = async (token: string, params = {}) => client.refresh(token, params);
  const good = async (token: string, params = {}) => {
    const answer = await refresh(token, params);
    expect(answer.status).toBe(200);
    return answer.json<TokenResponse>();
  };
  const bad = async (token: string) => {
    const answer = await refresh(token);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
  };
  const alive = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser, ['account:read', 'tabs:read']);
  });

  it('rotates: a new refresh token and a new access token', async () => {
    const second = await good(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await alive(second)).toBe(true);
  });

  itWithClock('an answer got lost: the same token an hour later is good', async () => {
    await good(first.refresh_token);
    advanceClock(60 * MINUTE);
    const again = await good(first.refresh_token);
    expect(await alive(again)).toBe(true);
  });

  it('a token after its successor was used: invalid_grant, everything revoked', async () => {
    const second = await good(first.refresh_token);
    const third = await good(second.refresh_token);
    await bad(first.refresh_token);
    expect(await alive(third)).toBe(false);
    await bad(third.refresh_token);
  });

  it('five refreshes at once all succeed, and each of their successors is good', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => good(first.refresh_token)));
    const next = await Promise.all(answers.map(({ refresh_token: token }) => good(token)));
    expect(await Promise.all(next.map(alive))).toEqual(Array(5).fill(true));
  });

  itWithClock(
    'a sibling is good within a minute of the first use, and revokes everything after it',
    async () => {
      const [one, two, three] = [
        await good(first.refresh_token),
        await good(first.refresh_token),
        await good(first.refresh_token),
      ] as const;
      const next = await good(one.refresh_token);
      advanceClock(30_000);
      await good(two.refresh_token);
      advanceClock(2 * MINUTE);
      await bad(three.refresh_token);
      expect(await alive(next)).toBe(false);
    },
  );

  itWithClock('a stolen token is found out in its second generation', async () => {
    const thief = await good(first.refresh_token);
    const victim = await good(first.refresh_token);
    const robbed = await good(thief.refresh_token);
    advanceClock(2 * MINUTE);
    await bad(victim.refresh_token);
    expect(await alive(robbed)).toBe(false);
    await bad(robbed.refresh_token);
  });

  it('of uses of a token and of its successor at once the token is not good afterwards', async () => {
    const second = await good(first.refresh_token);
    const calls = Array.from({ length: 32 }, (_, n) =>
      refresh(n % 2 ? first.refresh_token : second.refresh_token),
    );
    const answers = await Promise.all(calls);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    await bad(first.refresh_token);
  });

  it('another client: invalid_grant without effect', async () => {
    const other = await OAuthClient.register(gatehouse);
    expect((await other.refresh(first.refresh_token)).json()['error']).toBe('invalid_grant');
    expect(await alive(await good(first.refresh_token))).toBe(true);
  });

  it('fewer scopes: the token is narrower, the next refresh token is not', async () => {
    const narrow = await good(first.refresh_token, { scope: 'tabs:read' });
    expect(narrow.scope).toBe('tabs:read');
    expect((await good(narrow.refresh_token)).scope).toBe('account:read tabs:read');
  });

  it('a scope that was not granted: invalid_scope, the token stays good', async () => {
    const answer = await refresh(first.refresh_token, { scope: 'account:read code:run' });
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_scope']);
    await good(first.refresh_token);
  });

  it('scope and resource omitted: the same as before', async () => {
    const second = await good(first.refresh_token);
    expect([second.scope, second.resource]).toEqual([first.scope, first.resource]);
  });

  it('a foreign resource: invalid_target, the token stays good', async () => {
    const answer = await refresh(first.refresh_token, { resource: 'https://evil.example/svc/mcp' });
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_target']);
    await good(first.refresh_token);
  });

  itWithClock('every use starts 30 days again, and idle ones end', async () => {
    advanceClock(29 * DAY);
    const second = await good(first.refresh_token);
    advanceClock(29 * DAY);
    const third = await good(second.refresh_token);
    advanceClock(30 * DAY);
    await bad(third.refresh_token);
  });

  it('two replicas keep the same rule', async () => {
    const replica = await startGatehouse({}, gatehouse);
    try {
      const there = client.at(replica);
      const pairs = Array.from({ length: 16 }, () => [client, there]).flat();
      const answers = await Promise.all(pairs.map((one) => one.refresh(first.refresh_token)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const next = answers[0]?.json<TokenResponse>();
      expect((await there.refresh(next?.refresh_token ?? '')).status).toBe(200);
      expect((await client.refresh(first.refresh_token)).status).toBe(400);
    } finally {
      await replica.stop();
    }
  });
});
