import { Browser } from '../support/browser.js';
import { changeConnection } from '../support/connection.js';
import { advanceClock } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('an answer to a refresh that has arrived (contract: Refresh)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;
  let first: TokenResponse;

  const good = async (token: string) => {
    const answer = await client.refresh(token);
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

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
    first = await client.connect(browser);
  });

  itWithClock(
    'a minute after its first use the token before it is a replay, which ends the grant',
    async () => {
      const second = await good(first.refresh_token);
      await use(second);
      advanceClock(61 * SECOND);
      await bad(first.refresh_token);
      expect(await alive(second)).toBe(false);
      await bad(second.refresh_token);
    },
  );

  it('within that minute the token before it is answered as a sibling', async () => {
    const second = await good(first.refresh_token);
    await use(second);
    await use(await good(first.refresh_token));
    await use(second);
  });

  itWithClock('the minute begins with the first use, whatever is used later', async () => {
    const second = await good(first.refresh_token);
    await use(second);
    advanceClock(30 * SECOND);
    await use(second);
    await use(await good(first.refresh_token));
    advanceClock(31 * SECOND);
    await bad(first.refresh_token);
  });

  itWithClock('an unused answer may have got lost: the token before it goes on', async () => {
    await good(first.refresh_token);
    advanceClock(24 * 60 * MINUTE);
    await use(await good(first.refresh_token));
  });

  itWithClock('access tokens of the same or an earlier generation change nothing', async () => {
    const second = await good(first.refresh_token);
    await use(first);
    advanceClock(2 * MINUTE);
    await good(first.refresh_token);
    const third = await good(second.refresh_token);
    await use(second);
    advanceClock(2 * MINUTE);
    await use(await good(second.refresh_token));
    await use(await good(third.refresh_token));
  });

  itWithClock('a use for another resource does not count', async () => {
    const { access_token: token } = await good(first.refresh_token);
    const headers = { authorization: `Bearer ${token}`, host: `127.0.0.1:${gatehouse.port}` };
    expect((await client.send('POST', '/svc/mcp', '{}', headers)).status).toBe(401);
    advanceClock(2 * MINUTE);
    await good(first.refresh_token);
  });

  itWithClock('a use that is refused for its scope counts', async () => {
    await changeConnection(browser, { mayAsk: false });
    const { access_token: token } = await good(first.refresh_token);
    const run = { name: 'run_code', arguments: { code: '1' } };
    expect((await client.mcp(token, 'tools/call', run)).status).toBe(403);
    advanceClock(2 * MINUTE);
    await bad(first.refresh_token);
  });

  itWithClock('a use on one replica counts on the other', async () => {
    const replica = await startGatehouse({}, gatehouse);
    try {
      const second = await good(first.refresh_token);
      expect((await client.at(replica).mcp(second.access_token)).status).toBe(200);
      advanceClock(61 * SECOND);
      await bad(first.refresh_token);
    } finally {
      await replica.stop();
    }
  });
});
