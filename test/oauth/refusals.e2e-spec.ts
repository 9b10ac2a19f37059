import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
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

/** Answers a form that was shown before something else happened. */
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

type Row = readonly [string, Refused, number, RegExp, RegExp];

/** Every cause that a client or user can produce: status, what happened, what to do next. */
const REFUSALS: readonly Row[] = [
  [
    'client_id twice',
    ({ browser, client }) => browser.get(`${client.authorizePath()}&client_id=x`),
    400,
    /more than once/,
    /contact the app’s developers/,
  ],
  ['no client_id', ask({ client_id: undefined }), 400, /client_id/, /contact the app’s developers/],
  ['unknown client', ask({ client_id: 'x' }), 400, /^Unknown OAuth client/, /connect again/],
  [
    'redirect URI that is not registered',
    ask({ redirect_uri: 'https://evil.example/' }),
    400,
    /redirect_uri did not match/,
    /contact the app’s developers/,
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
    /came from another site/,
    /Start again from the app/,
  ],
  [
    'session over while the form was open',
    answerAfter(({ browser }) => browser.post('/svc/auth/logout')),
    401,
    /no longer signed in/,
    /sign in when you’re asked to/,
  ],
  [
    'no form at all',
    post('decision=approve', FORM),
    400,
    /doesn’t belong to any form/,
    /Start again/,
  ],
  [
    'no form data',
    post('{}', { 'content-type': 'application/json' }),
    400,
    /couldn’t be read: the body has to be/,
    /Start again/,
  ],
  ['too much', post('x'.repeat(17_000), FORM), 413, /couldn’t be read: request too/, /Start again/],
  [
    'two tabs answered one form',
    answerAfter(({ browser, client }, handle) =>
      client.answerConsent(browser, handle, ['code:run']),
    ),
    400,
    /already answered, perhaps in another tab/,
    /whether the app is already connected/,
  ],
  [
    'signed in anew after the form was shown',
    answerAfter(async () => undefined, 'another session'),
    400,
    /signed in again after this form was shown/,
    /check which account the form shows/,
  ],
];

/** The same for causes that need time to pass. Published apps have a spec of their own. */
const LATE_REFUSALS: readonly Row[] = [
  [
    'the form waited too long',
    answerAfter(async () => advanceClock(10 * MINUTE)),
    400,
    /open for more than 10 minutes, so/,
    /Start again from the app/,
  ],
  [
    'the registration ended while the form was open',
    async (visit) => {
      advanceClock(30 * DAY - 5 * MINUTE);
      await visit.browser.signIn();
      return answerAfter(async () => advanceClock(5 * MINUTE))(visit);
    },
    400,
    /registration ended while this form was open/,
    /connect again/,
  ],
];

describe('refusals in plain text (contract: Authorization request), of answers too (contract: Consent)', () => {
  const gatehouse = useGatehouse();
  let visit: Visit;
  /** By sentence its cause, so that no two causes share a sentence. */
  const sentences = new Map<string, string>();

  beforeEach(async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    visit = { gatehouse, browser, client: await OAuthClient.register(gatehouse) };
  });

  const holds = async ([cause, refused, status, happened, next]: Row) => {
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
  };
  const says = 'says what happened, what to do and the request id, and nothing of the request';

  for (const row of REFUSALS) it(`${row[0]}: ${says}`, () => holds(row));
  for (const row of LATE_REFUSALS) itWithClock(`${row[0]}: ${says}`, () => holds(row));

  it('405 and 429 have the id too', async () => {
    const limited = await startGatehouse({ RATE_LIMIT_MAX: '1', RATE_LIMIT_PERIOD: '3600' });
    const stranger = new Browser(limited);
    const wrong = await stranger.send('PUT', AUTHORIZE);
    const tooMany = await stranger.get(AUTHORIZE);
    await limited.stop();
    expect([wrong.status, tooMany.status]).toEqual([405, 429]);
    expect(wrong.headers.allow).toBe('GET, POST');
    expect(tooMany.headers['retry-after']).toBe('3600');
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
