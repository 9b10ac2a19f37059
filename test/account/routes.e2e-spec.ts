import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { age, PASSKEYS, SESSIONS, signedUp } from './own-account.js';

const MINUTE_MS = 60_000;
const STRANGER = 'A'.repeat(22);
const NAME = 'x'.repeat(20_000);

describe('routes of a person’s own account (contract: Own account)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = await signedUp(gatehouse);
  });
  afterAll(() => gatehouse.stop());

  const paths = ['/svc/me', PASSKEYS, `${PASSKEYS}/x`, `${PASSKEYS}/`, SESSIONS, `${SESSIONS}/x`];

  it.each(paths)(
    '401 | %s | not signed in | JSON { error }, whatever method, body and id',
    async (path) => {
      for (const method of ['GET', 'PATCH', 'DELETE', 'POST', 'OPTIONS']) {
        const answer = await new Browser(gatehouse).send(
          method,
          path,
          method === 'PATCH' ? '[' : undefined,
        );
        expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it.each(paths)('401 | %s | a cookie that is not believed', async (path) => {
    const signs: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of signs) {
      expect((await browser.send('DELETE', path, undefined, headers)).status).toBe(401);
    }
  });

  it.each([
    ['/svc/me', 'GET', 'PATCH, DELETE'],
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

  it.each(['/svc/me', `${PASSKEYS}/${STRANGER}`])(
    '413 and 400 | PATCH %s | the body, as under /svc/auth/, before the id',
    async (path) => {
      const answers = [];
      for (const body of [
        JSON.stringify({ name: NAME }),
        '{',
        '[]',
        '1',
        '{}',
        '{"name":7,"displayName":7}',
      ]) {
        answers.push(await browser.send('PATCH', path, body));
      }
      expect(answers.map(({ status }) => status)).toEqual([413, 400, 400, 400, 400, 400]);
      for (const answer of answers) expect(answer.json()).toEqual({ error: expect.any(String) });
    },
  );

  it.each([
    ['PATCH', `${PASSKEYS}/${STRANGER}`],
    ['PATCH', `${PASSKEYS}/`],
    ['PATCH', `${PASSKEYS}/%00`],
    ['PATCH', `${PASSKEYS}/a/b`],
    ['DELETE', `${PASSKEYS}/${STRANGER}`],
    ['DELETE', `${PASSKEYS}/${'x'.repeat(4000)}`],
    ['DELETE', `${SESSIONS}/${STRANGER}`],
    ['DELETE', `${SESSIONS}/`],
    ['DELETE', `${SESSIONS}/%2e%2e`],
  ])('404 | %s %s | JSON, for who is not fresh too', async (method, path) => {
    const stale = await signedUp(gatehouse);
    await age(gatehouse, stale, 11 * MINUTE_MS);
    const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
    const answer = await stale.send(method, path, body);
    expect([answer.status, answer.json()]).toEqual([404, { error: expect.any(String) }]);
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
