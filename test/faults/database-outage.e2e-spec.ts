import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

describe('with the SQL database gone', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(() => gatehouse.stop());

  /** Closes the connection from inside, because an SQLite file cannot be disconnected like a server. */
  const lose = () => gatehouse.app.get(DataSource).destroy();
  const restore = () => gatehouse.app.get(DataSource).initialize();

  it('what needs it is 503, no answer says that the user is signed out, and it comes back', async () => {
    const attestation = await new Browser(gatehouse).attest();
    const assertion = await browser.assert();
    await lose();
    const answers = await Promise.all([
      browser.get('/svc/auth/me'),
      browser.post('/svc/auth/logout'),
      browser.post('/svc/auth/register/options', {}),
      browser.post('/svc/auth/register/verify', attestation),
      browser.post('/svc/auth/login/verify', assertion),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.json()['error']).toContain('try again');
      expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    }
    await restore();
    expect((await browser.me()).user).not.toBeNull();
    expect((await browser.signIn()).status).toBe(200);
  });

  it('OAuth and MCP answer 503 in their own words, never 401, and it comes back', async () => {
    const client = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser);
    const handle = await client.showConsent(browser);
    await lose();
    const [refreshed, registered, called, page, answered] = await Promise.all([
      client.refresh(tokens.refresh_token),
      client.send('POST', '/svc/oauth/register', '{"redirect_uris":["https://app.example/cb"]}'),
      client.mcp(tokens.access_token),
      browser.get(client.authorizePath()),
      client.answerConsent(browser, handle, ['account:read']),
    ]);
    for (const answer of [refreshed, registered, called, page, answered]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    }
    for (const answer of [refreshed, registered, called]) {
      expect(answer.json()['error']).toBe('temporarily_unavailable');
    }
    for (const answer of [page, answered]) {
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
    await restore();
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(302);
  });
});
