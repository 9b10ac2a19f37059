import { createHash, generateKeyPairSync } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

interface Row {
  readonly id: string;
  readonly metadata: object;
  readonly secretHash: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

describe('registrations (contract: Client registration)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  const register = (metadata: object) =>
    browser.post('/svc/oauth/register', metadata, { 'content-type': 'application/json' });
  const minimal = (members: object) => ({ redirect_uris: [REDIRECT_URI], ...members });
  const manager = () => gatehouse.app.get(DataSource).manager;
  const rowOf = async (id: string) =>
    (await manager().find<Row>('oauth_clients')).find((row) => row.id === id) as Row;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(() => gatehouse.stop());

  it('what people read is cleaned and cut, and no logo is ever loaded', async () => {
    const hostile = ' \u202eevil\u0000\u200b<img src=x>\n\n'.concat('n'.repeat(500));
    const app = await OAuthClient.register(gatehouse, {
      client_name: hostile,
      logo_uri: 'https://logo.example/logo.svg',
      client_uri: 'javascript:alert(1)',
      tos_uri: 'http://tos.example',
    });
    const { metadata } = await rowOf(app.id);
    expect(metadata).not.toHaveProperty('client_uri');
    expect(metadata).not.toHaveProperty('tos_uri');
    expect(metadata).toHaveProperty(
      'client_name',
      expect.stringMatching(/^evil<img src=x> n{3,}$/),
    );
    const page = await browser.get(app.authorizePath());
    expect(page.text).not.toMatch(/logo\.example|<img|\u202e|\u200b|n{81}/);
  });

  describe('at rest', () => {
    it('only the SHA-256 of a secret is stored', async () => {
      const { id, secret = '' } = await OAuthClient.register(gatehouse, {
        token_endpoint_auth_method: 'client_secret_post',
      });
      const row = await rowOf(id);
      expect(secret).not.toBe('');
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(row.secretHash).toBe(createHash('sha256').update(secret).digest('base64url'));
      const open = await OAuthClient.register(gatehouse);
      expect([open.secret, (await rowOf(open.id)).secretHash]).toEqual([undefined, null]);
    });

    it('a client that proves itself by keys has no secret, and its keys come back', async () => {
      const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
        format: 'jwk',
      });
      const answer = await register(
        minimal({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } }),
      );
      const client = answer.json<Record<string, unknown>>();
      expect([answer.status, client['client_secret']]).toEqual([201, undefined]);
      expect(client['jwks']).toEqual({ keys: [jwk] });
    });

    it('never approved: gone after 30 days; with a grant: after 90 days', async () => {
      const app = await OAuthClient.register(gatehouse);
      const { createdAt, expiresAt } = await rowOf(app.id);
      expect(expiresAt - createdAt).toBe(30 * DAY);
      await app.showConsent(browser);
      expect((await rowOf(app.id)).expiresAt).toBe(expiresAt);
      await app.authorize(browser);
      const left = (await rowOf(app.id)).expiresAt - Date.now();
      expect(left).toBeGreaterThan(90 * DAY - HOUR);
      expect(left).toBeLessThanOrEqual(90 * DAY);
    });

    it('an answer that denies is no grant', async () => {
      const app = await OAuthClient.register(gatehouse);
      const { expiresAt } = await rowOf(app.id);
      await app.answerConsent(browser, await app.showConsent(browser), [], 'deny');
      expect((await rowOf(app.id)).expiresAt).toBe(expiresAt);
    });

    it('a refresh late in its life gives a registration 90 days again', async () => {
      const app = await OAuthClient.register(gatehouse);
      const { refresh_token: token } = await app.connect(browser);
      await manager().update('oauth_clients', { id: app.id }, { expiresAt: Date.now() + DAY });
      expect((await app.refresh(token)).status).toBe(200);
      expect((await rowOf(app.id)).expiresAt).toBeGreaterThan(Date.now() + 89 * DAY);
    });

    it('an expired registration is unknown everywhere', async () => {
      const app = await OAuthClient.register(gatehouse);
      const { refresh_token: token } = await app.connect(browser);
      await manager().update('oauth_clients', { id: app.id }, { expiresAt: Date.now() - 1 });
      const page = await browser.get(app.authorizePath());
      expect([page.status, page.headers.location]).toEqual([400, undefined]);
      const refresh = await app.refresh(token);
      expect([refresh.status, refresh.json()['error']]).toEqual([401, 'invalid_client']);
    });
  });
});
