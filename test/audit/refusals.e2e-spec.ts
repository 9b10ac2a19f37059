import { Browser } from '../support/browser.js';
import { startAdministered } from '../support/admin-api.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { auditRows, auditRowsOnce } from './audit-rows.js';

const FOREIGN = { origin: 'https://evil.example' };

describe('audit trail of what was refused', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let userId: string;

  const rows = (type: string) => auditRows(gatehouse, { type });
  const until = (count: number, type: string) => auditRowsOnce(count, gatehouse, { type });
  const saidBy = (answer: { json<T>(): T }) => answer.json<{ error: string }>().error;

  beforeEach(async () => {
    gatehouse = await startAdministered();
    browser = new Browser(gatehouse);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });
  afterEach(() => gatehouse.stop());

  it('tells of a failed sign-in why, and not whose', async () => {
    const answer = await browser.signIn({ overrides: { badSignature: true } });
    expect(answer.status).toBe(400);
    const [found] = await until(1, 'sign-in-failed');
    expect(found).toMatchObject({ user: null, detail: saidBy(answer) });
    expect(found?.network).toMatch(/^[\w-]{22}$/);
  });

  it('tells of a counter that went backwards whose it is', async () => {
    await browser.signIn({ overrides: { counter: 9 } });
    const answer = await browser.signIn({ overrides: { counter: 3 } });
    expect([answer.status, saidBy(answer)]).toEqual([400, expect.stringMatching(/counter/)]);
    const [found] = await until(1, 'signature-counter-reversed');
    expect(found?.user).toBe(userId);
    expect(await rows('sign-in-failed')).toEqual([]);
  });

  it('records no reversed counter without a valid signature', async () => {
    await browser.signIn({ overrides: { counter: 9 } });
    const forged = { counter: 3, badSignature: true };
    expect((await browser.signIn({ overrides: forged })).status).toBe(400);
    await until(1, 'sign-in-failed');
    expect(await rows('signature-counter-reversed')).toEqual([]);
  });

  it('tells of a backup eligibility that changed whose passkey it is', async () => {
    const answer = await browser.signIn({ overrides: { be: false, bs: false } });
    expect([answer.status, saidBy(answer)]).toEqual([400, expect.stringMatching(/backup/)]);
    const [found] = await until(1, 'backup-eligibility-changed');
    expect(found?.user).toBe(userId);
    expect(await rows('sign-in-failed')).toEqual([]);
  });

  it('records no changed eligibility without a valid signature', async () => {
    const forged = { be: false, bs: false, badSignature: true };
    expect((await browser.signIn({ overrides: forged })).status).toBe(400);
    await until(1, 'sign-in-failed');
    expect(await rows('backup-eligibility-changed')).toEqual([]);
  });

  it('tells of a passkey that was refused why', async () => {
    const phone = new Browser(gatehouse);
    phone.cookie = browser.cookie;
    const answer = await phone.addPasskey({ overrides: { uv: false } });
    expect(answer.status).toBe(400);
    const [found] = await until(1, 'passkey-refused');
    expect(found).toMatchObject({ user: null, detail: saidBy(answer) });
  });

  it('tells of posts of other origins, however many, in six rows', async () => {
    for (let n = 0; n < 40; n += 1) {
      expect((await browser.post('/svc/auth/logout', undefined, FOREIGN)).status).toBe(403);
    }
    await browser.signIn();
    await until(1, 'sign-in');
    const found = await until(6, 'foreign-origin-refused');
    expect(found).toHaveLength(6);
    expect(JSON.stringify(found)).not.toContain('evil');
  });

  it('tells of clients that did not prove themselves, by their id where there is one', async () => {
    const method = 'client_secret_post';
    const client = await OAuthClient.register(gatehouse, { token_endpoint_auth_method: method });
    const wrong = { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'guess' };
    expect((await client.token(wrong)).status).toBe(401);
    expect((await client.token({ ...wrong, client_secret: undefined })).status).toBe(401);
    expect((await client.token({ ...wrong, client_id: 'my own words' })).status).toBe(401);
    const found = await until(3, 'client-authentication-failed');
    expect(found.map(({ client: id }) => id)).toEqual([client.id, client.id, null]);
    expect(found.map(({ detail }) => detail)).toEqual([
      'its secret or assertion does not fit',
      'the client is registered for client_secret_post, not none',
      expect.stringMatching(/^unknown client/),
    ]);
    expect(JSON.stringify(found)).not.toMatch(/guess|my own words/);
  });

  it('tells of bearer tokens that do not count, and not of their absence', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: good } = await client.connect(browser);
    expect((await client.post('/svc/mcp', '{}', {})).status).toBe(401);
    expect((await client.mcp(good)).status).toBe(200);
    for (const token of ['unknown-token', '"malformed"']) {
      expect((await client.mcp(token)).status).toBe(401);
    }
    const found = await until(2, 'bearer-refused');
    expect(found.map(({ detail }) => detail)).toEqual([
      'the access token is unknown, expired or revoked',
      'the access token is malformed',
    ]);
    expect(found[0]?.network).toMatch(/^[\w-]{22}$/);
  });

  it('records answers to consent forms that were not shown, or from another site', async () => {
    const client = await OAuthClient.register(gatehouse);
    const forged = 'h'.repeat(43);
    expect((await client.answerConsent(browser, forged, ['account:read'])).status).toBe(400);
    const [found] = await until(1, 'consent-refused');
    expect(found?.user).toBe(userId);
    expect(JSON.stringify(found)).not.toContain(forged);
    const foreign = await browser.post('/svc/oauth/authorize', 'handle=x', {
      ...FOREIGN,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(foreign.status).toBe(403);
    await until(1, 'foreign-origin-refused');
  });
});
