import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ChallengeStore } from '#libs/passkeys';
import { start } from '#server';
import { type AccountStatus, Browser } from '../support/browser.js';
import { changeConnection } from '../support/connection.js';
import { eventually, onFreePort } from '#libs/platform/testing';
import { startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { storageForTests } from '../support/services/storage-for-tests.js';
import { TabClient } from '../support/tab-client.js';
import { AcmeChallengeStore } from '../../examples/team/src/acme-challenge-store.js';
import { GreetingEntity } from '../../examples/team/src/greeting.entity.js';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { SignInAlertsService } from '../../examples/team/src/sign-in-alerts.service.js';
import { startTeamApp } from './team-app.js';

interface ToolAnswer {
  readonly result: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: object;
  };
}

const INFO = { name: 'spec', version: '1' };
const ELSEWHERE = { redirect_uris: ['https://elsewhere.example/cb'] };
const ACME_REDIRECT = { redirect_uris: ['https://tools.acme.example/cb'] };

describe('a service with what a team brings', () => {
  let stop: () => Promise<void>;
  let app: NestExpressApplication;
  let place: { port: number; origin: string };
  let browser: Browser;

  const tool = async (client: OAuthClient, token: string, name: string, args: object) =>
    (await client.mcp(token, 'tools/call', { name, arguments: args })).json<ToolAnswer>().result;

  beforeAll(async () => {
    const started = await startTeamApp(acme, { BUDGET_DAILY_LIMIT: '9' });
    ({ app, stop } = started);
    place = { port: started.port, origin: `http://localhost:${started.port}` };
  });
  beforeEach(async () => {
    browser = new Browser(place);
    await browser.signUp('Ann');
  });
  afterAll(() => stop());

  it('has the tool, and its scope in the metadata, on the consent page and in the checks', async () => {
    const client = await OAuthClient.register(place);
    const metadata = await client.send('GET', '/.well-known/oauth-authorization-server');
    expect(metadata.json()['scopes_supported']).toContain('acme:greet');
    const page = await browser.get(client.authorizePath());
    expect(page.text).toContain('greet you, for 5 credits');

    const without = await client.connect(browser, ['account:read']);
    await changeConnection(browser, { mayAsk: false });
    const greet = { name: 'acme_greet', arguments: { language: 'fr' } };
    const refused = await client.mcp(without.access_token, 'tools/call', greet);
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('scope="account:read acme:greet"');

    const { access_token: token } = await client.connect(browser, ['acme:greet']);
    const greeted = await tool(client, token, 'acme_greet', { language: 'fr' });
    expect(greeted.structuredContent).toEqual({ greeting: 'Bonjour, Ann' });
  });

  it('tells models what the team’s tools are for', async () => {
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['acme:greet']);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    const answer = await client.mcp(token, 'initialize', params);
    const { instructions } = answer.json<{ result: { instructions: string } }>().result;
    expect(instructions).toMatch(/list_tabs.*\n\nacme_greet greets the person you work for/s);
  });

  it('charges the tool to the same budget', async () => {
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['acme:greet']);
    await tool(client, token, 'acme_greet', { language: 'en' });
    const refused = await tool(client, token, 'acme_greet', { language: 'en' });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toBe('The budget does not cover a greeting today.');
    const { budget } = (await browser.get('/svc/auth/me')).json<AccountStatus>();
    expect(budget?.used).toBe(5);
  });

  it('has the team’s table', async () => {
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['acme:greet']);
    await tool(client, token, 'acme_greet', { language: 'en' });
    const { user } = await browser.me();
    const greetings = app.get(DataSource).getRepository(GreetingEntity);
    expect(await greetings.findOneBy({ userId: user?.id ?? '' })).toMatchObject({ count: 1 });
  });

  it('asks the team’s screener', async () => {
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['tabs:write']);
    const tab = await TabClient.open(place, browser);
    const secret = await tool(client, token, 'send_message', { body: 'Roadrunner is coming' });
    expect(secret.isError).toBe(true);
    expect(secret.content[0]?.text).not.toContain('Roadrunner');
    const harmless = await tool(client, token, 'send_message', { body: 'coming' });
    expect(harmless.structuredContent).toEqual({ delivered: 1 });
    tab.socket.terminate();
  });

  it('shows the pages in the team’s colours, under the same policy', async () => {
    const client = await OAuthClient.register(place);
    for (const visitor of [browser, new Browser(place)]) {
      for (const path of [client.authorizePath(), '/svc/account']) {
        const page = await visitor.get(path);
        expect(page.text).toContain('--accent: #8a1538');
        expect(page.text).toContain('<circle cx="12" cy="12"');
        expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src/);
      }
    }
  });

  it('lets in the clients that the team’s policy lets in', async () => {
    const client = await OAuthClient.register(place, ACME_REDIRECT);
    expect((await browser.get(client.authorizePath())).status).toBe(200);
    await expect(OAuthClient.register(place, ELSEWHERE)).rejects.toThrow(
      'Acme lets apps return to acme.example only',
    );
  });

  it('asks the policy again for clients that registered before it was there', async () => {
    const before = await startGatehouse();
    const client = await OAuthClient.register(before, ELSEWHERE);
    const after = await startTeamApp(acme, {}, before);
    const [redirect_uri = ''] = ELSEWHERE.redirect_uris;
    const path = client.authorizePath({ redirect_uri });
    const visitor = new Browser(after);
    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await visitor.signUp('Ann');
      const refused = await visitor.get(path);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('Acme lets apps return to acme.example only');
    }
    await after.stop();
    await before.stop();
  });

  it('keeps challenges in the team’s store', async () => {
    const store = app.get(ChallengeStore, { strict: false }) as AcmeChallengeStore;
    const before = store.taken;
    await new Browser(place).signUp();
    expect(store).toBeInstanceOf(AcmeChallengeStore);
    expect(store.taken).toBe(before + 1);
  });

  it('tells the team what happens to accounts', async () => {
    const { user } = await browser.me();
    const { alerts } = app.get(SignInAlertsService, { strict: false });
    expect(alerts).toContain(`sign-up of ${user?.id} at ${place.origin}`);
    await browser.post('/svc/auth/logout');
    expect(alerts.at(-1)).toBe(`sign-out of ${user?.id} at ${place.origin}`);
  });
});

describe('a service that a team starts', () => {
  it('serves as the environment says, and ends in good order on SIGTERM', async () => {
    const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
      if (code !== 0) throw new Error('another process took the port');
      return undefined as never;
    });
    const { port, storage } = await onFreePort(async (free) => {
      const own = await storageForTests();
      const variables = { ...own.environment, PORT: String(free), LOG_LEVEL: 'fatal' };
      Object.assign(process.env, variables);
      await start([acme]).finally(() => {
        for (const name of Object.keys(variables)) delete process.env[name];
      });
      return { port: free, storage: own };
    });

    const path = '/.well-known/oauth-authorization-server';
    const headers = { host: `localhost:${port}` };
    const metadata = await call(port, { method: 'GET', path, headers });
    expect(metadata.json()['scopes_supported']).toContain('acme:greet');
    process.emit('SIGTERM', 'SIGTERM');
    await eventually(() => expect(exit).toHaveBeenCalledWith(0));
    await storage.dispose();
  });
});
