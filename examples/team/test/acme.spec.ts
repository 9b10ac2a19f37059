import {
  AdminApi,
  type Answer,
  Browser,
  eventually,
  type Gatehouse,
  OAuthClient,
  startGatehouse,
} from 'gatehouse/testing';
import { DataSource } from 'typeorm';
import { extension } from '../src/acme.extension.js';
import { GreetingEntity } from '../src/greeting.entity.js';

interface ToolAnswer {
  readonly result: { readonly isError?: boolean; readonly structuredContent?: object };
}

describe('Gatehouse with what Acme adds', () => {
  const token = 'a-token-of-32-characters-or-more';
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse({
      extensions: [extension],
      variables: { BUDGET_DAILY_LIMIT: '9', MANAGEMENT_PORT: '0', ADMIN_TOKEN: token },
    });
  });
  beforeEach(() => {
    browser = new Browser(gatehouse);
  });
  afterAll(() => gatehouse.stop());

  const greet = async (): Promise<Answer> => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: accessToken } = await client.connect(browser, ['acme:greet']);
    const call = { name: 'acme_greet', arguments: { language: 'fr' } };
    return client.mcp(accessToken, 'tools/call', call);
  };

  it('greets people, counts it, and charges 5 credits', async () => {
    await browser.signUp('Ann');
    const { result } = (await greet()).json<ToolAnswer>();
    expect(result.structuredContent).toEqual({ greeting: 'Bonjour, Ann' });
    const { user, budget } = await browser.me();
    expect(budget?.used).toBe(5);
    const greetings = gatehouse.app.get(DataSource).getRepository(GreetingEntity);
    expect(await greetings.findOneBy({ userId: user?.id ?? '' })).toMatchObject({ count: 1 });

    expect((await greet()).json<ToolAnswer>().result.isError).toBe(true);
    const admin = new AdminApi(gatehouse, token);
    await eventually(async () => {
      const path = `audit?user=${user?.id}&type=tool-called`;
      const { items } = await admin.json<{ items: object[] }>('GET', path);
      expect(items[0]).toMatchObject({ tool: 'acme_greet', reason: 'no credits' });
    });
  });

  it('deletes how often a person was greeted with the account', async () => {
    await browser.signUp('Ann');
    await browser.send('PUT', '/acme/me/greetings', { count: 3 });
    const { user } = await browser.me();
    const greetings = gatehouse.app.get(DataSource).getRepository(GreetingEntity);
    expect(await greetings.existsBy({ userId: user?.id ?? '' })).toBe(true);
    expect((await browser.send('DELETE', '/svc/me')).status).toBe(204);
    expect(await greetings.existsBy({ userId: user?.id ?? '' })).toBe(false);
  });

  it('exports how often a person was greeted, with the rest of the data', async () => {
    await browser.signUp('Ann');
    await browser.send('PUT', '/acme/me/greetings', { count: 3 });
    const exported = (await browser.get('/svc/me/export')).json();
    expect(exported).toMatchObject({
      profile: { displayName: 'Ann' },
      extensions: { acme: { greetings: 3 } },
    });
  });

  it('has no account that would be taken for Acme', async () => {
    const refused = await browser.post('/svc/auth/register/options', { displayName: 'Acme Help' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('names with Acme in them');
  });

  it('does not start without a scope of its routes and tools, and says which', async () => {
    const scopes = extension.scopes?.filter(({ name }) => name !== 'acme:greet') ?? [];
    const started = startGatehouse({ extensions: [{ ...extension, scopes }] });
    await expect(started).rejects.toThrow('requires the scope "acme:greet"');
  });

  it('shows its pages in the colours of Acme', async () => {
    const client = await OAuthClient.register(gatehouse);
    expect((await browser.get(client.authorizePath())).text).toContain('--accent: #8a1538');
  });
});
