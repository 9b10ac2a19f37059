import { DataSource } from 'typeorm';
import { SecurityEventsService } from '#libs/accounts';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';

interface AuditRow {
  readonly type: string;
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly grant_id: string | null;
  readonly origin: string;
  readonly count: number;
  readonly request_id: string | null;
  readonly at: number | string;
  readonly expires_at: number | string;
}

const DAYS_180_MS = 180 * 24 * 60 * 60 * 1000;

describe('audit trail', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let userId: string;

  const rows = (column: 'user_id' | 'client_id', value: string): Promise<AuditRow[]> =>
    gatehouse.app
      .get(DataSource)
      .query(`SELECT * FROM audit_events WHERE ${column} = '${value}' ORDER BY id`);
  const until = (count: number, value = userId, column: 'user_id' | 'client_id' = 'user_id') =>
    eventually(async () => {
      const found = await rows(column, value);
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    });
  const typesOf = (found: AuditRow[]) => found.map(({ type }) => type);

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });
  afterAll(() => gatehouse.stop());

  it('keeps sign-up, passkey, sign-out and sign-in in order, for 180 days', async () => {
    await until(1);
    const phone = new Browser(gatehouse);
    phone.cookie = browser.cookie;
    await phone.addPasskey();
    await until(2);
    await browser.post('/svc/auth/logout');
    await until(3);
    await browser.signIn();
    const found = await until(4);
    expect(typesOf(found)).toEqual(['sign-up', 'passkey-added', 'sign-out', 'sign-in']);
    for (const row of found) {
      expect(row.origin).toBe(gatehouse.origin);
      expect(Number(row.expires_at) - Number(row.at)).toBe(DAYS_180_MS);
    }
  });

  it('names the request by the id that its answer has', async () => {
    const answer = await browser.signIn();
    const found = await until(2);
    const requestId = answer.headers['x-request-id'];
    expect(requestId).toEqual(expect.stringMatching(/^[\w-]{8,64}$/));
    expect(found.map((row) => row.request_id)).toContain(requestId);
  });

  it('goes on after an event that the database does not take', async () => {
    const events = gatehouse.app.get(SecurityEventsService, { strict: false });
    const event = { type: 'sign-in', origin: gatehouse.origin } as const;
    events.emit({ ...event, userId: 'x'.repeat(65) });
    events.emit({ ...event, userId });
    expect(typesOf(await until(2))).toEqual(['sign-up', 'sign-in']);
  });

  it('keeps a sign-out without session out', async () => {
    const stranger = new Browser(gatehouse);
    await stranger.post('/svc/auth/logout');
    await browser.post('/svc/auth/logout');
    expect(typesOf(await until(2))).toEqual(['sign-up', 'sign-out']);
  });

  it('tells of a registration, which is nobody’s', async () => {
    const client = await OAuthClient.register(gatehouse);
    const [found] = await until(1, client.id, 'client_id');
    expect(found).toMatchObject({ type: 'client-registered', user_id: null });
  });

  it('tells of consents and of the disconnection, with client and grant', async () => {
    const client = await OAuthClient.register(gatehouse);
    await client.answerConsent(browser, await client.showConsent(browser), [], 'deny');
    await until(2);
    await client.connect(browser);
    const approved = (await until(4)).find(({ type }) => type === 'consent-approved');
    expect(approved).toMatchObject({ client_id: client.id, user_id: userId });
    await browser.send('DELETE', `/svc/me/apps/${approved?.grant_id}`);
    const found = await until(5);
    expect(typesOf(found)).toEqual([
      'sign-up',
      'consent-denied',
      'consent-approved',
      'code-exchanged',
      'app-disconnected',
    ]);
    expect(found[1]).toMatchObject({ client_id: client.id, grant_id: null });
    for (const row of found.slice(2)) {
      expect(row).toMatchObject({ client_id: client.id, grant_id: approved?.grant_id });
    }
  });

  it('tells of recovery codes and of a recovery, without the codes', async () => {
    const { codes } = (await browser.post('/svc/me/recovery-codes', {})).json<{
      codes: string[];
    }>();
    await until(2);
    const [code = ''] = codes;
    await browser.post('/svc/recovery', { code });
    const found = await until(3);
    expect(typesOf(found)).toEqual(['sign-up', 'recovery-codes-created', 'account-recovered']);
    expect(JSON.stringify(found)).not.toContain(code);
  });

  it('tells of a code that was used again', async () => {
    const client = await OAuthClient.register(gatehouse);
    const code = await client.authorize(browser);
    await client.exchange(code);
    expect((await client.exchange(code)).status).toBe(400);
    expect(typesOf(await until(4))).toContain('token-replayed');
  });

  it('tells once of a refresh token that was used again', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: first } = await client.connect(browser);
    const { refresh_token: second } = (await client.refresh(first)).json<TokenResponse>();
    await client.refresh(second);
    expect((await client.refresh(first)).status).toBe(400);
    expect((await client.refresh(first)).status).toBe(400);
    await browser.post('/svc/auth/logout');
    const found = await until(6);
    expect(typesOf(found).filter((type) => type === 'token-replayed')).toHaveLength(1);
    const replay = found.find(({ type }) => type === 'token-replayed');
    expect(replay).toMatchObject({ user_id: userId, client_id: client.id });
    expect(replay?.grant_id).toEqual(expect.any(String));
  });

  it('tells of refreshes in one row an hour, of revocations and of replaced grants', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: first } = await client.connect(browser);
    const { refresh_token: second } = (await client.refresh(first)).json<TokenResponse>();
    await client.refresh(second);
    const { refresh_token: fresh } = await client.connect(browser);
    await client.revoke(fresh);
    await client.revoke(fresh);
    await browser.post('/svc/auth/logout');
    const found = await until(9);
    expect(typesOf(found)).toEqual([
      'sign-up',
      'consent-approved',
      'code-exchanged',
      'token-refreshed',
      'consent-approved',
      'grant-replaced',
      'code-exchanged',
      'token-revoked',
      'sign-out',
    ]);
    const [older, newer] = [found[1]?.grant_id, found[4]?.grant_id];
    const grants = found.slice(1, 8).map((row) => row.grant_id);
    expect(grants).toEqual([older, older, older, newer, older, newer, newer]);
    for (const row of found.slice(1, 8)) expect(row.client_id).toBe(client.id);
  });

  it('tells nothing of a revocation without effect', async () => {
    const client = await OAuthClient.register(gatehouse);
    const other = await OAuthClient.register(gatehouse);
    const { refresh_token: token } = await client.connect(browser);
    await other.revoke(token);
    await client.revoke('unknown');
    await browser.post('/svc/auth/logout');
    expect(typesOf(await until(4))).not.toContain('token-revoked');
  });
});
