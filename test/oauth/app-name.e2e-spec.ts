import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

describe('the name of an app (contract: Authorization page)', () => {
  let gatehouse: Gatehouse;

  const rowOf = ({ id }: OAuthClient) =>
    gatehouse.app
      .get(DataSource)
      .manager.findOneOrFail<{ id: string; metadata: object }>('oauth_clients', { where: { id } });

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  afterAll(() => gatehouse.stop());

  it('is kept as the page showed it, whatever the client calls itself afterwards', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse, { client_name: 'Shown' });
    const handle = await client.showConsent(browser);
    const { manager } = gatehouse.app.get(DataSource);
    const { metadata } = await rowOf(client);
    const renamed = { metadata: { ...metadata, client_name: 'Your Bank' } };
    await manager.update('oauth_clients', { id: client.id }, renamed);
    expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(302);
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { app: string }[] }>();
    expect(apps.map(({ app }) => app)).toEqual(['Shown']);
  });

  it('is not all that tells an app: one that registered itself says when, also signed out', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const { manager } = gatehouse.app.get(DataSource);
    const registered = async (minute: number) => {
      const client = await OAuthClient.register(gatehouse, { client_name: 'Twin' });
      const at = Date.UTC(2026, 10, 22, 9, minute) / 1000;
      const { metadata } = await rowOf(client);
      await manager.update(
        'oauth_clients',
        { id: client.id },
        { metadata: { ...metadata, client_id_issued_at: at } },
      );
      return client;
    };
    const [older, newer] = [await registered(5), await registered(45)];
    const pageOf = async (client: OAuthClient, by = browser) =>
      (await by.get(client.authorizePath())).text;
    expect(await pageOf(older)).toMatch(/Registered here on Nov 22, 2026, 9:05\sAM UTC/);
    expect(await pageOf(newer)).toMatch(/Registered here on Nov 22, 2026, 9:45\sAM UTC/);
    expect(await pageOf(newer, new Browser(gatehouse))).toMatch(/9:45\sAM UTC/);
  });

  it.each([
    ['of spaces', '   ', 'an MCP client'],
    ['missing', undefined, 'an MCP client'],
    ['too long', 'x'.repeat(100), 'x'.repeat(80)],
  ])('%s falls back or is cut as the contract says', async (_what, name, shown) => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse, { client_name: name });
    expect((await browser.get(client.authorizePath())).text).toContain(shown);
    await client.connect(browser);
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { app: string }[] }>();
    expect(apps.map(({ app }) => app)).toEqual([shown]);
  });
});
