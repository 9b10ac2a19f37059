import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { startAdministered } from '../support/admin-api.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { beginRounds, endRounds } from '../support/rounds.js';
import { itWithClock } from '../support/services/describe-with.js';
import { type AuditRow, auditRows, auditRowsOnce } from './audit-rows.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Expired rows are deleted every ten minutes. */
const SWEEPER_MS = 10 * 60 * 1000;

describe('audit trail', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let browser: Browser;
  let userId: string;

  const until = (count: number, filter: Parameters<typeof auditRows>[1] = { user: userId }) =>
    auditRowsOnce(count, gatehouse, filter);
  const typesOf = (found: AuditRow[]) => found.map(({ type }) => type);

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('keeps sign-up, passkey, sign-out and sign-in in order', async () => {
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
    expect(new Set(found.map(({ origin }) => origin))).toEqual(new Set([gatehouse.origin]));
  });

  it('names the request by the id that its answer has', async () => {
    const answer = await browser.signIn();
    const found = await until(2);
    const requestId = answer.headers['x-request-id'];
    expect(requestId).toEqual(expect.stringMatching(/^[\w-]{8,64}$/));
    expect(found.map(({ request }) => request)).toContain(requestId);
  });

  it('keeps a sign-out without session out', async () => {
    const stranger = new Browser(gatehouse);
    await stranger.post('/svc/auth/logout');
    await browser.post('/svc/auth/logout');
    expect(typesOf(await until(2))).toEqual(['sign-up', 'sign-out']);
  });

  it('records a registration, without a user', async () => {
    const client = await OAuthClient.register(gatehouse);
    const rows = await until(1, { type: 'client-registered' });
    expect(rows).toContainEqual(expect.objectContaining({ client: client.id, user: null }));
  });

  it('tells of consents and of the disconnection, with client and grant', async () => {
    const client = await OAuthClient.register(gatehouse);
    await client.answerConsent(browser, await client.showConsent(browser), [], 'deny');
    await until(2);
    await client.connect(browser);
    const approved = (await until(4)).find(({ type }) => type === 'consent-approved');
    expect(approved).toMatchObject({ client: client.id, user: userId });
    await browser.send('DELETE', `/svc/me/apps/${approved?.grant}`);
    const found = await until(5);
    expect(typesOf(found)).toEqual([
      'sign-up',
      'consent-denied',
      'consent-approved',
      'code-exchanged',
      'app-disconnected',
    ]);
    expect(found[1]).toMatchObject({ client: client.id, grant: null });
    for (const row of found.slice(2)) {
      expect(row).toMatchObject({ client: client.id, grant: approved?.grant });
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
    expect(replay).toMatchObject({ user: userId, client: client.id });
    expect(replay?.grant).toEqual(expect.any(String));
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
    const [older, newer] = [found[1]?.grant, found[4]?.grant];
    const grants = found.slice(1, 8).map(({ grant }) => grant);
    expect(grants).toEqual([older, older, older, newer, older, newer, newer]);
    for (const row of found.slice(1, 8)) expect(row.client).toBe(client.id);
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

describe('the audit trail', () => {
  afterEach(restoreClock);

  const isKeptFor = async (days: number, variables: Readonly<Record<string, string>>) => {
    beginRounds('intervals');
    const gatehouse = await startAdministered(variables);
    await new Browser(gatehouse).signUp();
    const ofSignUps = { type: 'sign-up' };
    await auditRowsOnce(1, gatehouse, ofSignUps);
    advanceClock(days * DAY_MS - SWEEPER_MS);
    await jest.advanceTimersByTimeAsync(SWEEPER_MS);
    expect(await auditRows(gatehouse, ofSignUps)).toHaveLength(1);
    advanceClock(SWEEPER_MS);
    await jest.advanceTimersByTimeAsync(SWEEPER_MS);
    await eventually(async () => expect(await auditRows(gatehouse, ofSignUps)).toEqual([]));
    await gatehouse.stop();
    endRounds();
  };

  itWithClock('has a row for 180 days', () => isKeptFor(180, {}));
  itWithClock('has a row for AUDIT_RETENTION_DAYS', () =>
    isKeptFor(30, { AUDIT_RETENTION_DAYS: '30' }),
  );
});
