import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';

const SECOND = 1000;

/** Rows of the grant in use, as far as these tests look at them. */
interface Arrival {
  readonly generation: number;
  readonly at: number | null;
}

describe('an answer to a refresh that has arrived (contract: Refresh)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const database = () => gatehouse.app.get(DataSource);
  const good = async (token: string, at = client) => {
    const answer = await at.refresh(token);
    expect(answer.status).toBe(200);
    return answer.json<TokenResponse>();
  };
  const bad = async (token: string) => {
    const answer = await client.refresh(token);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
  };
  const alive = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;
  const use = async (answer: TokenResponse) => expect(await alive(answer)).toBe(true);
  /** Makes all that was noted so far look as if it had been so much earlier. */
  const passTime = async (ms: number) => {
    await database().query(`UPDATE oauth_grants SET arrived_at = arrived_at - ${ms}`);
    await database().query(`UPDATE oauth_tokens SET consumed_at = consumed_at - ${ms}`);
  };
  const arrival = async (): Promise<Arrival> => {
    const [row] = await database().query(
      `SELECT arrived_generation, arrived_at FROM oauth_grants WHERE client_id = '${client.id}'`,
    );
    const at = row.arrived_at === null ? null : Number(row.arrived_at);
    return { generation: Number(row.arrived_generation), at };
  };

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser);
  });
  afterAll(() => gatehouse.stop());

  it('a minute after its first use the token before it is a replay, which ends the grant', async () => {
    const second = await good(first.refresh_token);
    await use(second);
    await passTime(61 * SECOND);
    await bad(first.refresh_token);
    expect(await alive(second)).toBe(false);
    await bad(second.refresh_token);
  });

  it('within that minute the token before it is answered as a sibling', async () => {
    const second = await good(first.refresh_token);
    await use(second);
    await passTime(50 * SECOND);
    const again = await good(first.refresh_token);
    await use(again);
    await use(second);
  });

  it('the minute begins with the first use, whatever is used later', async () => {
    const second = await good(first.refresh_token);
    await use(second);
    await passTime(40 * SECOND);
    await use(second);
    await use(await good(first.refresh_token));
    await passTime(30 * SECOND);
    await bad(first.refresh_token);
  });

  it('an unused answer may have got lost: the token before it is good for as long as it lives', async () => {
    await good(first.refresh_token);
    await passTime(24 * 60 * 60 * SECOND);
    await use(await good(first.refresh_token));
  });

  it('access tokens of the same or an earlier generation change nothing', async () => {
    await use(first);
    expect(await arrival()).toEqual({ generation: 0, at: null });
    const second = await good(first.refresh_token);
    await use(first);
    await passTime(24 * 60 * 60 * SECOND);
    const third = await good((await good(first.refresh_token)).refresh_token);
    await use(second);
    await passTime(24 * 60 * 60 * SECOND);
    await use(await good(third.refresh_token));
  });

  it('a use that is refused for its scope counts, one for another resource does not', async () => {
    const second = await good(first.refresh_token);
    const elsewhere = { host: `127.0.0.1:${gatehouse.port}` };
    const headers = { authorization: `Bearer ${second.access_token}`, ...elsewhere };
    expect((await client.send('POST', '/svc/mcp', '{}', headers)).status).toBe(401);
    expect(await arrival()).toEqual({ generation: 0, at: null });
    const run = { name: 'run_code', arguments: { code: '1' } };
    expect((await client.mcp(second.access_token, 'tools/call', run)).status).toBe(403);
    expect((await arrival()).generation).toBe(1);
  });

  it('32 first uses at once are noted once, and no later use moves the note', async () => {
    const second = await good(first.refresh_token);
    await Promise.all(Array.from({ length: 32 }, () => use(second)));
    await passTime(5 * SECOND);
    const noted = await arrival();
    await use(second);
    await use(await good(first.refresh_token));
    expect(await arrival()).toEqual(noted);
    await use(await good(second.refresh_token));
    expect((await arrival()).generation).toBe(2);
  });

  it('a thief who uses what a stolen token gave is found out when its owner refreshes', async () => {
    const thief = await good(first.refresh_token);
    await use(thief);
    await passTime(10 * 60 * SECOND);
    await bad(first.refresh_token);
    expect(await alive(thief)).toBe(false);
  });

  const single = globalThis.STORAGE === 'embedded';
  (single ? it.skip : it)('a use on one replica counts on the other', async () => {
    const replica = await startGatehouse({}, gatehouse);
    try {
      const second = await good(first.refresh_token);
      expect((await client.at(replica).mcp(second.access_token)).status).toBe(200);
      await passTime(61 * SECOND);
      await bad(first.refresh_token);
    } finally {
      await replica.stop();
    }
  });
});
