import { Browser, type Gatehouse, OAuthClient, startGatehouse } from 'gatehouse/testing';
import { extension } from '../src/acme.extension.js';

describe('the greetings of a person', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [extension] });
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
  });
  afterAll(() => gatehouse.stop());

  const startFrom = (body: object) => browser.send('PUT', '/acme/me/greetings', body);

  /** An app that the person connected, with these scopes. */
  const connect = async (scopes: string[]) => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, scopes);
    const authorization = `Bearer ${token}`;
    const read = () => client.send('GET', '/acme/greetings', undefined, { authorization });
    const greet = () =>
      client.mcp(token, 'tools/call', { name: 'acme_greet', arguments: { language: 'en' } });
    return { read, greet };
  };

  it('are read by apps that may greet', async () => {
    const { read, greet } = await connect(['acme:greet']);
    await greet();
    expect((await read()).json()).toEqual({ name: 'Ann', app: 'Test App', count: 1 });
  });

  it('are not read by others, who learn what to ask for', async () => {
    const answer = await (await connect(['account:read'])).read();
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('scope="account:read acme:greet"');
  });

  it('are read, and counted again, on pages of the site', async () => {
    expect((await startFrom({ count: 7 })).json()).toEqual({ count: 7 });
    expect((await browser.get('/acme/me/greetings')).json()).toEqual({ count: 7 });
    const refused = await startFrom({ count: -1 });
    expect([refused.status, refused.json()]).toEqual([
      400,
      { statusCode: 400, error: 'Bad Request', message: ['count must not be less than 0'] },
    ]);
  });

  it('need a session, and a page of the same site', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const foreign = await browser.send('PUT', '/acme/me/greetings', { count: 7 }, headers);
    expect(foreign.status).toBe(401);
    await browser.post('/svc/auth/logout');
    expect((await browser.get('/acme/me/greetings')).status).toBe(401);
  });
});
