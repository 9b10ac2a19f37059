import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const ROUNDS = 8;
const AT_ONCE = 11;
const MINUTE = 60_000;

/** Counts rows in the database; the validity of tokens is asked of the service. */
describe('what refreshes leave in the database (contract: Refresh)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const count = async (from: string) => {
    const [row] = await gatehouse.app.get(DataSource).query(`SELECT COUNT(*) AS n FROM ${from}`);
    return Number(row.n);
  };
  const ofClient = () =>
    `grant_id IN (SELECT id FROM oauth_grants WHERE client_id = '${client.id}')`;
  const refreshTokens = () => count(`oauth_tokens WHERE kind = 'RefreshToken' AND ${ofClient()}`);
  const refreshed = async (token: string) => {
    const answer = await client.refresh(token);
    expect(answer.status).toBe(200);
    return answer.json<TokenResponse>();
  };
  const refused = async (token: string) =>
    expect((await client.refresh(token)).json()['error']).toBe('invalid_grant');
  const alive = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;
  /** Refreshes in a chain; returns every answer. */
  const chain = async () => {
    const answers = [first];
    for (let n = 0; n < ROUNDS; n += 1) {
      answers.push(await refreshed(answers.at(-1)?.refresh_token ?? ''));
    }
    return answers;
  };

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser);
  });

  it('a loop of refreshes keeps two refresh tokens, and one row of the audit trail', async () => {
    const answers = await chain();
    expect(await refreshTokens()).toBe(2);
    expect(await count(`oauth_tokens WHERE kind = 'AccessToken' AND ${ofClient()}`)).toBe(
      answers.length,
    );
    expect(await count(`audit_events WHERE type = 'token-refreshed' AND ${ofClient()}`)).toBe(1);
    expect(await alive(first)).toBe(true);
  });

  it.each([0, ROUNDS - 2])(
    'a replay of a token whose row is gone is found all the same: generation %i',
    async (generation) => {
      const answers = await chain();
      await refused(answers[generation]?.refresh_token ?? '');
      expect(await alive(answers.at(-1) ?? first)).toBe(false);
      await refused(answers.at(-1)?.refresh_token ?? '');
    },
  );

  it('a replay by another client, or on another origin, ends nothing', async () => {
    const answers = await chain();
    const last = answers.at(-1) ?? first;
    const other = await OAuthClient.register(gatehouse);
    expect((await other.refresh(first.refresh_token)).json()['error']).toBe('invalid_grant');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const elsewhere = { ...form, host: `127.0.0.1:${gatehouse.port}` };
    const body = `grant_type=refresh_token&client_id=${client.id}&refresh_token=${first.refresh_token}`;
    expect((await client.send('POST', '/svc/oauth/token', body, elsewhere)).status).toBe(400);
    expect(await alive(last)).toBe(true);
    await refreshed(last.refresh_token);
  });

  it('32 parallel replays of a token whose row is gone: none succeeds, one is reported', async () => {
    const answers = await chain();
    await Promise.all(Array.from({ length: 32 }, () => refused(first.refresh_token)));
    expect(await alive(answers.at(-1) ?? first)).toBe(false);
    const reported = `audit_events WHERE type = 'token-replayed' AND client_id = '${client.id}'`;
    await eventually(async () => expect(await count(reported)).toBeGreaterThan(0));
    expect(await count(reported)).toBe(1);
  });

  it('revoking a token whose row is gone ends the grant, as one that is there', async () => {
    const answers = await chain();
    expect((await client.revoke(first.refresh_token)).status).toBe(200);
    expect(await alive(answers.at(-1) ?? first)).toBe(false);
  });

  it('a token that was never given is unknown, and ends nothing', async () => {
    const last = (await chain()).at(-1) ?? first;
    await refused('A'.repeat(65));
    await refused(last.access_token);
    await refreshed(last.refresh_token);
  });

  itWithClock(
    'of answers to one token the newest 100 stay, and those of a minute; older ones count as replaced',
    async () => {
      const again = () => refreshed(first.refresh_token);
      const oldest = await again();
      for (let n = 0; n < 110; n += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, again));
      }
      expect(await refreshTokens()).toBe(112);
      advanceClock(2 * MINUTE);
      const last = await again();
      expect(await refreshTokens()).toBe(102);
      await refused(oldest.refresh_token);
      expect(await alive(last)).toBe(false);
    },
  );
});
