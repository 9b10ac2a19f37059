import { randomUUID } from 'node:crypto';
import { Browser } from '../support/browser.js';
import type { DocumentHost } from '#libs/oauth/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
/** Replicas on Redis share documents. */
const isShared = globalThis.STORAGE !== 'embedded';

describe('an unknown client at the token endpoint (contract: Token endpoint)', () => {
  let service: PublishedClients;
  let gatehouse: Gatehouse;
  let host: DocumentHost;
  let browser: Browser;

  const newPath = () => `/${randomUUID()}`;
  const publish = () => host.publish(newPath(), APP);

  beforeAll(async () => {
    service = await startPublishedClients();
    ({ gatehouse, host } = service);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(() => service.stop());

  it('of every cause gets one answer, and no host is asked', async () => {
    const unheld = publish();
    const broken = host.answer(newPath(), (_request, response) => response.writeHead(500).end());
    const page = await browser.get(OAuthClient.published(gatehouse, broken).authorizePath());
    expect(page.status).toBe(400);
    const before = host.connections;
    const tokens = await OAuthClient.published(gatehouse, publish()).connect(browser);
    expect(host.connections).toBe(before + 1);
    const answers = new Set<string>();
    for (const id of [
      'no-such-client',
      unheld,
      broken,
      host.url(newPath()),
      `${unheld}#x`,
      'https://127.0.0.1/x',
      'https://internal.invalid/x',
    ]) {
      const client = OAuthClient.published(gatehouse, id);
      for (const answer of [
        await client.exchange('x'.repeat(43)),
        await client.refresh(tokens.refresh_token),
        await client.revoke(tokens.access_token),
        await client.token({ grant_type: 'x' }),
      ]) {
        expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_client']);
        expect(answer.headers['retry-after']).toBeUndefined();
        answers.add(answer.text);
      }
    }
    expect(answers.size).toBe(1);
    expect(host.connections).toBe(before + 1);
  });

  it('is none whose document is out of memory when it presents what it was given', async () => {
    const client = OAuthClient.published(gatehouse, publish());
    const tokens = await client.connect(browser);
    const replica = await startGatehouse({ CIMD_PRIVATE_HOSTS: host.privateHost }, gatehouse);
    try {
      const there = client.at(replica);
      const before = host.connections;
      expect((await there.refresh('x'.repeat(43))).status).toBe(isShared ? 400 : 401);
      expect(host.connections).toBe(before);
      expect((await there.refresh(tokens.refresh_token)).status).toBe(200);
      expect(host.connections).toBe(isShared ? before : before + 1);
    } finally {
      await replica.stop();
    }
  });

  it('is none either when a replaced token comes where its document is out of memory', async () => {
    const client = OAuthClient.published(gatehouse, publish());
    const stolen = await client.connect(browser);
    const second = (await client.refresh(stolen.refresh_token)).json<TokenResponse>();
    const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
    const replica = await startGatehouse({ CIMD_PRIVATE_HOSTS: host.privateHost }, gatehouse);
    try {
      const replayed = await client.at(replica).refresh(stolen.refresh_token);
      expect([replayed.status, replayed.json()['error']]).toEqual([400, 'invalid_grant']);
      expect((await client.mcp(third.access_token)).status).toBe(401);
    } finally {
      await replica.stop();
    }
  });
});
