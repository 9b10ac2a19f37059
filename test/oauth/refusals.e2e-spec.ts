import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const AUTHORIZE = '/svc/oauth/authorize';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Visit {
  readonly gatehouse: Gatehouse;
  readonly browser: Browser;
  readonly client: OAuthClient;
}
type Refused = (visit: Visit) => Promise<Answer>;

const ask =
  (params: Record<string, string | undefined>): Refused =>
  ({ browser, client }) =>
    browser.get(client.authorizePath(params));

/** Answers a form that was shown, after something happened. */
const answerAfter =
  (happens: (visit: Visit, handle: string) => Promise<unknown>, whose?: string): Refused =>
  async (visit) => {
    const { browser, client, gatehouse } = visit;
    const handle = await client.showConsent(browser);
    await happens(visit, handle);
    const other = new Browser(gatehouse, browser.authenticator);
    if (whose === 'another session') await other.signIn();
    return client.answerConsent(whose === undefined ? browser : other, handle, ['tabs:read']);
  };

const post =
  (body: string, headers: Record<string, string>): Refused =>
  ({ browser }) =>
    browser.post(AUTHORIZE, body, headers);

const inDatabase = ({ gatehouse }: Visit) => gatehouse.app.get(DataSource).manager;

/** Every cause that can be brought about from outside: status, what happened, what to do next. */
const REFUSALS: readonly [string, Refused, number, RegExp, RegExp][] = [
  [
    'client_id twice',
    ({ browser, client }) => browser.get(`${client.authorizePath()}&client_id=x`),
    400,
    /more than once/,
    /tell its makers/,
  ],
  ['no client_id', ask({ client_id: undefined }), 400, /client_id/, /tell its makers/],
  ['unknown client', ask({ client_id: 'x' }), 400, /unknown OAuth client/i, /connect anew/],
  [
    'redirect URI that is not registered',
    ask({ redirect_uri: 'https://evil.example/' }),
    400,
    /redirect_uri did not match/,
    /tell its makers/,
  ],
  [
    'document out of reach',
    ask({ client_id: 'https://127.0.0.1/client' }),
    400,
    /app could not be verified/,
    /Try again in a minute/,
  ],
  [
    'answer of another site',
    post('', { ...FORM, 'sec-fetch-site': 'cross-site' }),
    403,
    /comes from another site/,
    /Start again from the app/,
  ],
  [
    'session over while the form was open',
    answerAfter(({ browser }) => browser.post('/svc/auth/logout')),
    401,
    /not signed in any more/,
    /you sign in on the way/,
  ],
  ['no form at all', post('decision=approve', FORM), 400, /belongs to no form/, /Start again/],
  [
    'no form data',
    post('{}', { 'content-type': 'application/json' }),
    400,
    /could not be read: the body has to be/,
    /Start again/,
  ],
  [
    'too much',
    post('x'.repeat(17_000), FORM),
    413,
    /could not be read: request too/,
    /Start again/,
  ],
  [
    'two tabs answered one form',
    answerAfter(({ browser, client }, handle) =>
      client.answerConsent(browser, handle, ['code:run']),
    ),
    400,
    /answered before, perhaps in another tab/,
    /whether the app is connected already/,
  ],
  [
    'the form waited too long',
    answerAfter((visit) =>
      inDatabase(visit).update(
        'oauth_consents',
        { clientId: visit.client.id },
        { expiresAt: Date.now() - 1 },
      ),
    ),
    400,
    /waited for more than 10 minutes, so/,
    /Start again from the app/,
  ],
  [
    'signed in anew after the form was shown',
    answerAfter(async () => undefined, 'another session'),
    400,
    /signed in again after this form was shown/,
    /look which account it shows/,
  ],
  [
    'the app is gone',
    answerAfter((visit) => inDatabase(visit).delete('oauth_clients', { id: visit.client.id })),
    400,
    /registration ended while this form was open/,
    /connect anew/,
  ],
  [
    'the app has another way back',
    answerAfter(async (visit) => {
      const { id } = visit.client;
      const { metadata } = await inDatabase(visit).findOneByOrFail<{
        readonly id: string;
        readonly metadata: object;
      }>('oauth_clients', { id });
      const moved = { metadata: { ...metadata, redirect_uris: ['https://app.example/cb'] } };
      await inDatabase(visit).update('oauth_clients', { id }, moved);
    }),
    400,
    /changed its way back/,
    /Start again from the app/,
  ],
];

describe('refusals in plain text at authorize (contract: Consent)', () => {
  let gatehouse: Gatehouse;
  let visit: Visit;
  /** The cause of each, so that no two share one. */
  const sentences = new Map<string, string>();

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    visit = { gatehouse, browser, client: await OAuthClient.register(gatehouse) };
  });
  afterAll(() => gatehouse.stop());

  it.each(REFUSALS)(
    '%s: says what happened, what to do and the request id, and nothing of the request',
    async (cause, refused, status, happened, next) => {
      const { status: given, headers, text } = await refused(visit);
      expect([given, headers.location]).toEqual([status, undefined]);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      const id = ` (request ${headers['x-request-id']})`;
      expect(text.endsWith(`.${id}`)).toBe(true);
      const sentence = text.slice(0, -id.length);
      expect(sentence).toMatch(happened);
      expect(sentence).toMatch(next);
      expect(sentence).not.toMatch(/evil|127\.0\.0\.1|\n|Error|undefined/);
      expect(sentences.get(sentence) ?? cause).toBe(cause);
      sentences.set(sentence, cause);
    },
  );

  it('405 and 429 have the id too', async () => {
    const limited = await startGatehouse({ RATE_LIMIT_MAX: '1' });
    const stranger = new Browser(limited);
    const wrong = await stranger.send('PUT', AUTHORIZE);
    const tooMany = await stranger.get(AUTHORIZE);
    await limited.stop();
    expect([wrong.status, tooMany.status]).toEqual([405, 429]);
    expect(wrong.headers.allow).toBe('GET, POST');
    expect(tooMany.headers['retry-after']).toBe('60');
    for (const { text, headers } of [wrong, tooMany]) {
      expect(text.endsWith(` (request ${headers['x-request-id']})`)).toBe(true);
    }
  });

  it('Allow with nothing ticked is denied in other words than Don’t allow', async () => {
    const { client, browser } = visit;
    const descriptions = [];
    for (const decision of ['approve', 'deny']) {
      const answer = await client.answerConsent(
        browser,
        await client.showConsent(browser),
        [],
        decision,
      );
      const location = new URL(answer.headers.location ?? REDIRECT_URI);
      expect(location.searchParams.get('error')).toBe('access_denied');
      descriptions.push(location.searchParams.get('error_description'));
    }
    expect(descriptions).toEqual([
      'the user allowed none of the scopes',
      'the user denied the request',
    ]);
  });
});
