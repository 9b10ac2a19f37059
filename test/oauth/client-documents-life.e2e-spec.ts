import { randomUUID } from 'node:crypto';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import type { DocumentHost } from '#libs/oauth/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';
import { itWithClock } from '../support/services/describe-with.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
const OTHER_URI = 'http://127.0.0.1:5555/other';
const JSON_TYPE = { 'content-type': 'application/json' };
const SECOND = 1000;
const HALF_A_MINUTE = 30 * SECOND;
const DAY = 24 * 3600 * SECOND;
const IS_SHARED = globalThis.STORAGE !== 'embedded';

const errorOf = (answer: Answer) => [answer.status, answer.json()['error']];

describe('metadata documents over time (contract: Client metadata documents)', () => {
  let service: PublishedClients;
  let gatehouse: Gatehouse;
  let host: DocumentHost;
  let browser: Browser;
  let path: string;

  const publish = (members: object = APP, headers?: Record<string, string>) =>
    host.publish(path, members, headers);
  const published = (members?: object, headers?: Record<string, string>) =>
    OAuthClient.published(gatehouse, publish(members, headers));
  const breakDown = () =>
    host.answer(path, (_request, response) => response.writeHead(500, JSON_TYPE).end('{}'));
  const statusOf = async (client: OAuthClient) =>
    (await browser.get(client.authorizePath())).status;
  beforeAll(async () => {
    service = await startPublishedClients();
    ({ gatehouse, host } = service);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    path = `/${randomUUID()}`;
  });
  afterEach(restoreClock);
  afterAll(() => service.stop());

  it('one fetch for all who ask at once, and none again within a minute', async () => {
    const client = published();
    const statuses = await Promise.all(Array.from({ length: 16 }, () => statusOf(client)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await client.connect(browser);
    expect(host.countOf(path)).toBe(1);
  });

  describe('while one of its redirect hosts is blocked (contract: Administration)', () => {
    const host2 = () => `${path.slice(1)}.example`;
    const withBoth = () => ({ ...APP, redirect_uris: [REDIRECT_URI, `https://${host2()}/cb`] });
    const block = () =>
      new Admin(gatehouse).text('clients', 'block', '--redirect-host', host2(), '--yes');

    it('its tokens end, although its person was sent to the other one', async () => {
      const client = published(withBoth());
      const { access_token: token, refresh_token: refresh } = await client.connect(browser);
      expect((await client.mcp(token)).status).toBe(200);
      await block();
      expect((await client.mcp(token)).status).toBe(401);
      expect(errorOf(await client.refresh(refresh))).toEqual([400, 'unauthorized_client']);
      expect(await statusOf(client)).toBe(400);
      await new Admin(gatehouse).text('clients', 'unblock', '--redirect-host', host2());
      expect((await client.refresh(refresh)).status).toBe(200);
    });

    itWithClock('a host that its document gained counts from the next refresh on', async () => {
      const client = published(APP, { 'cache-control': 'no-store' });
      const tokens = await client.connect(browser);
      publish(withBoth());
      advanceClock(61 * SECOND);
      const next = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
      expect((await client.mcp(next.access_token)).status).toBe(200);
      await block();
      expect((await client.mcp(next.access_token)).status).toBe(401);
      expect(errorOf(await client.refresh(next.refresh_token))).toEqual([
        400,
        'unauthorized_client',
      ]);
    });

    itWithClock(
      'a host that its document gained since the last refresh refuses the next',
      async () => {
        const client = published(APP, { 'cache-control': 'no-store' });
        const { refresh_token: refresh } = await client.connect(browser);
        publish(withBoth());
        await block();
        advanceClock(61 * SECOND);
        expect(errorOf(await client.refresh(refresh))).toEqual([400, 'unauthorized_client']);
      },
    );
  });

  /** Shortly before this time has passed the document is not fetched again, and shortly after it is. */
  const isGoodFor = async (client: OAuthClient, ms: number) => {
    expect(host.countOf(path)).toBe(1);
    advanceClock(ms - HALF_A_MINUTE);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(1);
    advanceClock(HALF_A_MINUTE);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(2);
  };

  // Other values of `Cache-Control` are tested in the unit spec of document lifetimes.
  for (const [header, seconds] of [
    ['no-store', 60],
    ['max-age=3600', 3600],
    ['max-age=99999999', 24 * 3600],
  ] as const) {
    itWithClock(`Cache-Control: ${header}: ${seconds} seconds, once there is a grant`, async () => {
      const client = published(APP, { 'cache-control': header });
      await client.connect(browser);
      await isGoodFor(client, seconds * SECOND);
    });
  }

  itWithClock('without a grant nothing is kept for longer than ten minutes', async () => {
    const client = published(APP, { 'cache-control': 'max-age=86400' });
    expect(await statusOf(client)).toBe(200);
    await isGoodFor(client, 600 * SECOND);
  });

  itWithClock(
    'a refused document is not kept, and its host is left alone for a while',
    async () => {
      const client = OAuthClient.published(gatehouse, breakDown());
      expect(await statusOf(client)).toBe(400);
      publish();
      expect(await statusOf(client)).toBe(400);
      expect(host.countOf(path)).toBe(1);
      advanceClock(31 * SECOND);
      expect(await statusOf(client)).toBe(200);
    },
  );

  (IS_SHARED ? it : it.skip)(
    'replicas share documents and refusals (embedded storage has one)',
    async () => {
      const replica = await startGatehouse({ CIMD_PRIVATE_HOSTS: host.privateHost }, gatehouse);
      try {
        const client = published();
        const broken = OAuthClient.published(gatehouse, host.url(`${path}/missing`));
        expect([await statusOf(client), await statusOf(broken)]).toEqual([200, 400]);
        const there = browser.at(replica);
        await there.agent.get(client.authorizePath()).expect(200);
        await there.agent.get(broken.authorizePath()).expect(400);
        expect([host.countOf(path), host.countOf(`${path}/missing`)]).toEqual([1, 1]);
      } finally {
        await replica.stop();
      }
    },
  );

  const whileShown = async (happens: () => unknown) => {
    const client = published();
    const handle = await client.showConsent(browser);
    happens();
    advanceClock(61 * SECOND);
    const answer = await client.answerConsent(browser, handle, ['account:read']);
    return { client, answer };
  };

  itWithClock('a redirect URI that goes while the form is shown gets no code', async () => {
    const { answer } = await whileShown(() => publish({ ...APP, redirect_uris: [OTHER_URI] }));
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text).toMatch(/changed its redirect address.*Start again from the app/);
  });

  itWithClock('a document that breaks while the form is shown gets no code', async () => {
    const { answer } = await whileShown(breakDown);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.text).toMatch(/^The app could not be verified/);
  });

  itWithClock(
    'a name that changes while the form is shown is kept as the form had it',
    async () => {
      const { answer } = await whileShown(() => publish({ ...APP, client_name: 'Your Bank' }));
      expect(answer.status).toBe(302);
      const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { app: string }[] }>();
      expect(apps.map(({ app }) => app)).toEqual([APP.client_name]);
    },
  );

  itWithClock('a code stays bound to its redirect URI, whatever the document says', async () => {
    const client = published();
    const code = await client.authorize(browser);
    publish({ ...APP, redirect_uris: [REDIRECT_URI, OTHER_URI] });
    advanceClock(61 * SECOND);
    const moved = await client.exchange(code, { redirect_uri: OTHER_URI });
    expect(errorOf(moved)).toEqual([400, 'invalid_grant']);
    expect((await client.exchange(code)).status).toBe(200);
  });

  itWithClock('out of reach: refresh and revoke go on, new authorizations do not', async () => {
    const client = published();
    const tokens = await client.connect(browser);
    breakDown();
    advanceClock(61 * SECOND);
    expect(await statusOf(client)).toBe(400);
    const refreshed = await client.refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    const { refresh_token: token } = refreshed.json<TokenResponse>();
    expect((await client.revoke(token)).status).toBe(200);
    expect(errorOf(await client.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  for (const [status, error, retryAfter] of [
    [500, [503, 'temporarily_unavailable'], '30'],
    [404, [401, 'invalid_client'], undefined],
  ] as const) {
    itWithClock(
      `the last good document serves for 7 days; then ${status} is ${error[0]}`,
      async () => {
        const client = published();
        const tokens = await client.connect(browser);
        host.answer(path, (_request, response) => response.writeHead(status, JSON_TYPE).end('{}'));
        advanceClock(7 * DAY - HALF_A_MINUTE);
        expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
        advanceClock(HALF_A_MINUTE);
        const refused = await client.refresh(tokens.refresh_token);
        expect(errorOf(refused)).toEqual(error);
        expect(refused.headers['retry-after']).toBe(retryAfter);
      },
    );
  }

  describe('several devices', () => {
    const apps = async () => (await browser.get('/svc/me/apps')).json<{ apps: object[] }>().apps;

    it('a new one logs none of the others out', async () => {
      const client = published();
      const [one, two] = [await client.connect(browser), await client.connect(browser)];
      for (const { access_token: token } of [one, two]) {
        expect((await client.mcp(token)).status).toBe(200);
      }
      expect(await apps()).toHaveLength(2);
      await client.revoke(one.refresh_token);
      expect((await client.mcp(two.access_token)).status).toBe(200);
    });

    it('of more than 20 the longest idle goes', async () => {
      const client = published();
      const tokens: TokenResponse[] = [];
      for (let device = 0; device < 20; device += 1) {
        tokens.push(await client.connect(browser));
      }
      expect((await client.refresh(tokens[0]?.refresh_token ?? '')).status).toBe(200);
      tokens.push(await client.connect(browser));
      const statuses = await Promise.all(
        tokens.map(async ({ access_token: token }) => (await client.mcp(token)).status),
      );
      expect(statuses).toEqual([200, 401, ...Array(19).fill(200)]);
    });
  });
});
