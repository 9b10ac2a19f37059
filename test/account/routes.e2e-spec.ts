import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { FRESH_MS, PASSKEYS, SESSIONS, signedUp } from './own-account.js';

const ACTIVITY = '/svc/me/activity';
const CODES = '/svc/me/recovery-codes';
const EXPORT = '/svc/me/export';
const STRANGER = 'A'.repeat(22);
const COLLECTIONS = [PASSKEYS, `${PASSKEYS}/x`, SESSIONS, `${SESSIONS}/x`];
const PATHS = ['/svc/me', ACTIVITY, CODES, EXPORT, ...COLLECTIONS];

describe('routes of a person’s own account (contract: Own account)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeAll(async () => {
    browser = await signedUp(gatehouse);
  });

  it.each(PATHS)('401 | %s | not signed in | JSON, whatever method, body and id', async (path) => {
    const stranger = new Browser(gatehouse);
    for (const method of ['GET', 'PATCH', 'DELETE', 'POST', 'OPTIONS']) {
      const answer = await stranger.send(method, path, method === 'PATCH' ? '[' : undefined);
      expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it.each(PATHS)('401 | %s | a cookie that is not believed', async (path) => {
    const foreign = { origin: 'https://evil.example' };
    expect((await browser.send('DELETE', path, undefined, foreign)).status).toBe(401);
  });

  it.each([
    ['/svc/me', 'GET', 'PATCH, DELETE'],
    [ACTIVITY, 'PATCH', 'GET'],
    [CODES, 'PUT', 'GET, POST'],
    [EXPORT, 'POST', 'GET'],
    [PASSKEYS, 'POST', 'GET'],
    [`${PASSKEYS}/${STRANGER}`, 'GET', 'PATCH, DELETE'],
    [SESSIONS, 'PATCH', 'GET, DELETE'],
    [`${SESSIONS}/${STRANGER}`, 'GET', 'DELETE'],
  ])(
    '405 | %s | %s | plain text with Allow: %s, before body and id',
    async (path, method, allow) => {
      const answer = await browser.send(method, path, method === 'GET' ? undefined : '[');
      expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.each([
    ['PATCH', '/svc/me'],
    ['PATCH', `${PASSKEYS}/${STRANGER}`],
    ['POST', CODES],
  ])('413 and 400 | %s %s | the body, before the id', async (method, path) => {
    const answers = [];
    for (const body of ['x'.repeat(16_385), '{', '[]']) {
      answers.push(await browser.send(method, path, body));
    }
    expect(answers.map(({ status }) => status)).toEqual([413, 400, 400]);
    for (const answer of answers) expect(answer.json()).toEqual({ error: expect.any(String) });
  });

  it.each([
    ['GET', `${CODES}/`],
    ['PATCH', `${PASSKEYS}/`],
    ['PATCH', `${PASSKEYS}/%00`],
    ['DELETE', `${PASSKEYS}/${'x'.repeat(4000)}`],
    ['DELETE', `${SESSIONS}/`],
    ['DELETE', `${SESSIONS}/%2e%2e`],
  ])('404 | %s %s', async (method, path) => {
    const answer = await browser.send(
      method,
      path,
      method === 'PATCH' ? { name: 'Mine' } : undefined,
    );
    expect(answer.status).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  itWithClock('405, 400 and 404 come before 403 of a session that is not fresh', async () => {
    const stale = await signedUp(gatehouse);
    advanceClock(FRESH_MS + 1);
    const statusOf = async (method: string, path: string, body?: string) =>
      (await stale.send(method, path, body)).status;
    expect(await statusOf('PUT', CODES, '{')).toBe(405);
    expect(await statusOf('POST', CODES, '{')).toBe(400);
    expect(await statusOf('DELETE', `${PASSKEYS}/${STRANGER}`)).toBe(404);
    expect(await statusOf('DELETE', `${SESSIONS}/${STRANGER}`)).toBe(404);
    expect(await statusOf('POST', CODES)).toBe(403);
  });

  it('GET of passkey-endpoints names the account page of the own origin, without a session', async () => {
    const stranger = new Browser(gatehouse);
    const answer = await stranger.get('/.well-known/passkey-endpoints');
    const page = `${gatehouse.origin}/svc/account`;
    expect([answer.status, answer.json()]).toEqual([200, { enroll: page, manage: page }]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const refused = await stranger.post('/.well-known/passkey-endpoints');
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
