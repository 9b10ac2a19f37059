import { Browser } from '../support/browser.js';
import type { DocumentHost } from '#libs/oauth/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
/** The exact text, whatever the cause. */
const UNVERIFIED =
  /^The app could not be verified: the information that it publishes about itself couldn’t be loaded or isn’t valid\. Try again in a minute\. If this happens again, contact the app’s developers\. \(request [\w-]+\)$/;

describe('clients that publish a metadata document (contract: Client metadata documents)', () => {
  let service: PublishedClients;
  let gatehouse: Gatehouse;
  let host: DocumentHost;
  let browser: Browser;
  let paths = 0;

  const newPath = () => `/client-${(paths += 1)}`;
  const publish = (members: object = APP, headers?: Record<string, string>) =>
    host.publish(newPath(), members, headers);
  const ask = (id: string, params = {}) =>
    browser.get(OAuthClient.published(gatehouse, id).authorizePath(params));
  const refused = async (id: string, reason = UNVERIFIED) => {
    const page = await ask(id);
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(page.text).toMatch(reason);
    expect(page.headers['content-type']).toMatch(/^text\/plain/);
    expect(page.headers['cache-control']).toBe('no-store');
  };

  beforeAll(async () => {
    service = await startPublishedClients();
    ({ gatehouse, host } = service);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(() => service.stop());

  it('the page names the host that publishes the app, whatever the app says; no logo is loaded', async () => {
    const id = publish({
      ...APP,
      client_name: 'Claude <b>',
      logo_uri: 'https://logo.example/x.svg',
      client_uri: 'https://claude.ai',
    });
    const signedIn = await ask(id);
    const signedOut = await new Browser(gatehouse).get(
      OAuthClient.published(gatehouse, id).authorizePath(),
    );
    for (const { status, text } of [signedIn, signedOut]) {
      expect(status).toBe(200);
      expect(text).toContain('Claude &lt;b&gt;');
      expect(text).toMatch(/Published by<\/dt>\s*<dd><strong><bdi>localhost<\/bdi>/);
      expect(text).not.toContain('Name unverified');
      expect(text).not.toMatch(/logo\.example|claude\.ai/);
    }
  });

  it('from consent to tokens, and listed as published', async () => {
    const client = OAuthClient.published(gatehouse, publish());
    const tokens = await client.connect(browser);
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    const [app] = (await browser.get('/svc/me/apps')).json<{ apps: object[] }>().apps;
    expect(app).toMatchObject({ app: 'Published App', published: 'localhost' });
    expect((await client.revoke(tokens.refresh_token)).status).toBe(200);
    expect((await client.mcp(tokens.access_token)).status).toBe(401);
  });

  it('a document without a name shows its host', async () => {
    const page = await ask(publish({ redirect_uris: [REDIRECT_URI] }));
    expect(page.text).toMatch(/<h1><bdi>localhost<\/bdi>/);
  });

  describe('identifiers that are refused without any connection', () => {
    // The form of client ids has a unit spec of its own.
    const bad: ((url: string) => string)[] = [
      (url) => `${url}?x=1`,
      (url) => url.replace('/client', '/a/../client'),
      (url) => url.replace('https://', 'https://user@'),
      (url) => url.replace('localhost', 'LOCALHOST'),
      (url) => `${new URL(url).origin}/`,
      (url) => url.replace('https://', 'https:\\\\'),
    ];

    it.each(bad.map((spoil, n) => [n, spoil(`https://localhost:1/client`), spoil] as const))(
      '%i: %s',
      async (_n, _example, spoil) => {
        const id = publish();
        const before = host.connections;
        const page = await ask(spoil(id));
        expect([page.status, page.headers.location]).toEqual([400, undefined]);
        expect(page.text).toMatch(/^(The app could not be verified|Unknown OAuth client):/);
        expect(host.connections).toBe(before);
      },
    );

    it('http and other schemes are unknown clients', async () => {
      for (const scheme of ['http:', 'HTTPS:', 'ftp:', 'data:']) {
        await refused(publish().replace('https:', scheme), /^Unknown OAuth client/);
      }
    });
  });

  it('special-use addresses and other ports: no bytes sent', async () => {
    const before = host.connections;
    const ids = [
      `https://127.0.0.1:${host.port}/client`,
      `https://app.localhost:${host.port}/client`,
      'https://localhost/client',
      'https://[::ffff:127.0.0.1]/client',
      'https://169.254.169.254/latest/meta-data',
      `https://localhost:${gatehouse.port}/client`,
    ];
    for (const id of ids) await refused(id);
    expect(host.connections).toBe(before);
  });

  it('unknown grant types, response types and members are ignored', async () => {
    const client = OAuthClient.published(
      gatehouse,
      publish({
        ...APP,
        grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'authorization_code'],
        response_types: ['code', 'id_token'],
        scope: 'openid',
        'x-vendor': { deep: true },
      }),
    );
    expect((await client.connect(browser)).refresh_token).toMatch(/^[\w-]{22}~[\w-]{41}$/);
  });

  it('the redirect URI has to be in the document: exactly, or with a loopback port', async () => {
    const id = publish({ ...APP, redirect_uris: [REDIRECT_URI, 'https://app.example/cb'] });
    const statusFor = async (uri: string) => {
      const page = await ask(id, { redirect_uri: uri });
      expect(page.headers.location).toBeUndefined();
      return page.status;
    };
    expect(await statusFor('https://app.example/cb')).toBe(200);
    expect(await statusFor('http://127.0.0.1:61234/cb')).toBe(200);
    for (const uri of [
      'https://app.example/cb?x',
      'https://app.example:8443/cb',
      'http://localhost:5555/cb',
    ]) {
      expect(await statusFor(uri)).toBe(400);
    }
  });

  it.each([
    ['CIMD_BLOCKED_HOSTS', { CIMD_BLOCKED_HOSTS: 'localhost' }],
    ['CIMD_ALLOWED_HOSTS', { CIMD_ALLOWED_HOSTS: 'app.example' }],
    ['without CIMD_PRIVATE_HOSTS', { CIMD_PRIVATE_HOSTS: '' }],
  ])('%s: refused without any connection', async (_what, variables) => {
    const strict = await startPublishedClients(variables);
    try {
      const id = strict.host.publish('/client', APP);
      const page = await new Browser(strict.gatehouse).get(
        OAuthClient.published(strict.gatehouse, id).authorizePath(),
      );
      expect(page.status).toBe(400);
      expect(page.text).toMatch(UNVERIFIED);
      const keys = { jwks_uri: id, token_endpoint_auth_method: 'private_key_jwt' };
      await expect(OAuthClient.register(strict.gatehouse, keys)).rejects.toThrow(
        /invalid_client_metadata.*jwks_uri is (not )?on/,
      );
      expect(strict.host.connections).toBe(0);
    } finally {
      await strict.stop();
    }
  });
});
