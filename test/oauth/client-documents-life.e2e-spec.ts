import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import type { DocumentHost } from '../support/document-host.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
const OTHER_URI = 'http://127.0.0.1:5555/other';
const JSON_TYPE = { 'content-type': 'application/json' };
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const single = globalThis.STORAGE === 'embedded';

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
  /** From now on it is that much later, for the service as well. */
  const later = (ms: number) => {
    const now = Date.now() + ms;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  };

  beforeAll(async () => {
    service = await startPublishedClients();
    ({ gatehouse, host } = service);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    path = `/${randomUUID()}`;
    // The clock stands still, so that nothing grows old while a busy machine is slow.
    later(0);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.stop());

  it('one fetch for all who ask at once, and none again within a minute', async () => {
    const client = published();
    const statuses = await Promise.all(Array.from({ length: 16 }, () => statusOf(client)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await client.connect(browser);
    expect(host.countOf(path)).toBe(1);
  });

  it.each([
    ['no-store', 61],
    ['max-age=0', 61],
    ['max-age=3600', 3601],
    ['max-age=99999999', 24 * 3600 + 1],
  ])('Cache-Control: %s is good for %i seconds, once there is a grant', async (header, seconds) => {
    const client = published(APP, { 'cache-control': header });
    await client.connect(browser);
    later((seconds - 2) * SECOND);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(1);
    later(3 * SECOND);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(2);
  });

  it('without a grant nothing is kept for longer than ten minutes', async () => {
    const client = published(APP, { 'cache-control': 'max-age=86400' });
    expect(await statusOf(client)).toBe(200);
    later(599 * SECOND);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(1);
    later(2 * SECOND);
    expect(await statusOf(client)).toBe(200);
    expect(host.countOf(path)).toBe(2);
  });

  it('a refused document is not kept, and its host is left alone for a while', async () => {
    const client = OAuthClient.published(gatehouse, breakDown());
    expect(await statusOf(client)).toBe(400);
    publish();
    expect(await statusOf(client)).toBe(400);
    expect(host.countOf(path)).toBe(1);
    later(31 * SECOND);
    expect(await statusOf(client)).toBe(200);
  });

  (single ? it.skip : it)(
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

  it('a redirect URI that goes while the form is shown gets no code', async () => {
    const client = published();
    const handle = await client.showConsent(browser);
    publish({ ...APP, redirect_uris: [OTHER_URI] });
    later(61 * SECOND);
    const answer = await client.answerConsent(browser, handle, ['account:read']);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('a document that breaks while the form is shown gets no code', async () => {
    const client = published();
    const handle = await client.showConsent(browser);
    breakDown();
    later(61 * SECOND);
    const answer = await client.answerConsent(browser, handle, ['account:read']);
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/^The app could not be verified/);
    expect(answer.headers.location).toBeUndefined();
  });

  it('a code stays bound to its redirect URI, whatever the document says meanwhile', async () => {
    const client = published();
    const code = await client.authorize(browser);
    publish({ ...APP, redirect_uris: [REDIRECT_URI, OTHER_URI] });
    later(61 * SECOND);
    const moved = await client.exchange(code, { redirect_uri: OTHER_URI });
    expect(errorOf(moved)).toEqual([400, 'invalid_grant']);
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('out of reach: refresh and revoke go on, new authorizations do not', async () => {
    const client = published();
    const tokens = await client.connect(browser);
    breakDown();
    later(61 * SECOND);
    expect(await statusOf(client)).toBe(400);
    const refreshed = await client.refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    const { refresh_token: token } = refreshed.json<TokenResponse>();
    expect((await client.revoke(token)).status).toBe(200);
    expect(errorOf(await client.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  it.each([
    [500, [503, 'temporarily_unavailable'], '30'],
    [404, [401, 'invalid_client'], undefined],
  ])('the last good document serves for 7 days; then %i is %j', async (status, error, retry) => {
    const client = published();
    const tokens = await client.connect(browser);
    host.answer(path, (_request, response) => response.writeHead(status, JSON_TYPE).end('{}'));
    later(6 * DAY);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    later(8 * DAY);
    const refused = await client.refresh(tokens.refresh_token);
    expect(errorOf(refused)).toEqual(error);
    expect(refused.headers['retry-after']).toBe(retry);
  });

  describe('several devices', () => {
    const grants = async (client: OAuthClient) => {
      const { manager } = gatehouse.app.get(DataSource);
      const rows = await manager.find<{ clientId: string; revokedAt: number | null }>(
        'oauth_grants',
      );
      return rows.filter((row) => row.clientId === client.id && row.revokedAt === null);
    };

    it('a new one logs none of the others out', async () => {
      const client = published();
      const [one, two] = [await client.connect(browser), await client.connect(browser)];
      for (const { access_token: token } of [one, two]) {
        expect((await client.mcp(token)).status).toBe(200);
      }
      expect(await grants(client)).toHaveLength(2);
      await client.revoke(one.refresh_token);
      expect((await client.mcp(two.access_token)).status).toBe(200);
    });

    it('of more than 20 the longest idle goes', async () => {
      const client = published();
      const tokens: TokenResponse[] = [];
      for (let device = 0; device < 20; device += 1) {
        later(SECOND);
        tokens.push(await client.connect(browser));
      }
      later(SECOND);
      expect((await client.refresh(tokens[0]?.refresh_token ?? '')).status).toBe(200);
      later(SECOND);
      tokens.push(await client.connect(browser));
      const statuses = await Promise.all(
        tokens.map(async ({ access_token: token }) => (await client.mcp(token)).status),
      );
      expect(statuses).toEqual([200, 401, ...Array(19).fill(200)]);
    });
  });
});
