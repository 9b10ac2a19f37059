import { request } from 'node:http';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, useGatehouse, useReplicas } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { OAuthClient } from '../support/oauth-client.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';
import { itWithClock } from '../support/services/describe-with.js';
import { admitted, BAD_BODIES, done, guarded } from './guarded-routes.js';
import { startTeamApp } from './team-app.js';

const ROUTE = '/team/session';
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const BODY = '{"text":"hello"}';
/** More than a test needs otherwise, sign-ups included. */
const MAX = 40;
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: '3600' };

describe('a route of a team’s for people who are signed in (contract: Own account)', () => {
  const [here, there] = useReplicas((replicaOf) => startTeamApp(guarded, {}, replicaOf));
  let browser: Browser;
  /** The same browser, with requests to another replica. */
  let elsewhere: Browser;

  beforeEach(async () => {
    done.length = 0;
    admitted.count = 0;
    browser = new Browser(here);
    await browser.signUp('Ann');
    elsewhere = browser.at(there);
  });

  it('gets the signed-in person', async () => {
    const { user } = await browser.me();
    expect((await elsewhere.get(ROUTE)).json()).toEqual(user);
  });

  it('takes a body of the own pages, and one without an Origin', async () => {
    const own: Record<string, string>[] = [{ origin: here.origin }, {}];
    for (const headers of own) {
      const answer = await elsewhere.post(ROUTE, BODY, headers);
      expect([answer.status, answer.json()]).toEqual([201, { text: 'hello' }]);
    }
    expect((await elsewhere.post(ROUTE)).json()).toEqual({});
  });

  it('401 | signed out, in the words of the area, also with a bearer token', async () => {
    const client = await OAuthClient.register(here);
    const { access_token: token } = await client.connect(browser);
    const stranger = new Browser(there);
    const plain = await stranger.get(ROUTE, { authorization: `Bearer ${token}` });
    expect([plain.status, plain.text]).toEqual([401, 'sign in first']);
    const json = await stranger.get('/svc/auth/team');
    expect([json.status, json.json()]).toEqual([401, { error: 'sign in first' }]);
  });

  it.each([
    ['a foreign Origin', { origin: 'https://elsewhere.example' }],
    ['the Origin null', { origin: 'null' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['a foreign Referer', { referer: 'https://elsewhere.example/' }],
  ])('401 | %s, whatever the method', async (_from, headers) => {
    const posted = { ...headers, 'content-type': 'text/plain' };
    expect((await elsewhere.post(ROUTE, BODY, posted)).status).toBe(401);
    expect((await elsewhere.get(ROUTE, headers)).status).toBe(401);
    expect(done).toEqual([]);
  });

  const disable = async () =>
    new Admin(here).text('users', 'disable', (await browser.me()).user?.id ?? '', '--yes');
  const ends: [string, () => Promise<unknown>][] = [
    ['signed out', () => browser.at(here).post('/svc/auth/logout')],
    ['ended by another', () => endByAnother()],
    ['of a disabled account', disable],
  ];
  const endByAnother = async () => {
    const phone = new Browser(here, browser.authenticator);
    await phone.signIn();
    return phone.send('DELETE', '/svc/me/sessions');
  };

  it.each(ends)('401 | a session that is %s | at once, on any replica', async (_how, end) => {
    expect((await elsewhere.get(ROUTE)).status).toBe(200);
    await end();
    expect((await elsewhere.get(ROUTE)).status).toBe(401);
    expect((await elsewhere.post(ROUTE, BODY)).status).toBe(401);
    expect(done).toEqual([]);
  });

  const late = ends.flatMap(([how, end]) =>
    [ROUTE, `${ROUTE}/bytes`].map((path) => [how, path, end] as const),
  );

  it.each(late)(
    '401 | a session that is %s while the body of %s comes',
    async (_how, path, end) => {
      const type = 'application/json';
      const held = await holdBody({ port: there.port, origin: here.origin }, elsewhere, path, {
        type,
        body: BODY,
      });
      await eventually(() => expect(admitted.count).toBe(1));
      await end();
      expect((await held.finish()).status).toBe(401);
      expect(done).toEqual([]);
    },
  );

  itWithClock('401 | a session that is expired', async () => {
    advanceClock(WEEK_MS);
    expect((await elsewhere.get(ROUTE)).status).toBe(401);
    expect((await elsewhere.post(ROUTE, BODY)).status).toBe(401);
    expect(done).toEqual([]);
  });

  it.each(BAD_BODIES)('a body that is %s', async (_what, body, status, text) => {
    const plain = await elsewhere.post(ROUTE, body, { 'content-type': 'application/json' });
    expect([plain.status, plain.text]).toEqual([status, text]);
    const json = await elsewhere.post('/svc/auth/team', body);
    expect([json.status, json.json()]).toEqual([status, { error: text }]);
    expect(done).toEqual([]);
  });

  it('answers what it throws in its own words, and 404 for a method that it does not have', async () => {
    const answer = await elsewhere.post(ROUTE, '{"text":""}');
    expect([answer.status, answer.json()]).toEqual([400, { text: 'is empty' }]);
    expect((await elsewhere.send('DELETE', ROUTE)).status).toBe(404);
  });
});

describe('an answer of a route of a team’s that is still open (contract: Own account)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    beginRounds();
    here = await startTeamApp(guarded);
    there = await startTeamApp(guarded, {}, here);
  });
  beforeEach(async () => {
    browser = new Browser(here);
    await browser.signUp('Ann');
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await there.stop();
    await here.stop();
    endRounds();
  });

  async function openStream() {
    const headers = { cookie: browser.cookie ?? '', host: new URL(here.origin).host };
    const stream = { text: '', isOpen: true };
    request({ port: there.port, path: `${ROUTE}/stream`, headers }, (answer) => {
      answer.on('data', (chunk: Buffer) => (stream.text += chunk.toString()));
      answer.on('error', () => undefined).on('close', () => (stream.isOpen = false));
    }).end();
    await eventually(() => expect(stream.text).toContain('open'));
    expect(stream.isOpen).toBe(true);
    return stream;
  }

  it('ends with its session, and no other does', async () => {
    const stream = await openStream();
    browser = new Browser(here);
    await browser.signUp('Bob');
    const other = await openStream();
    expect((await browser.post('/svc/auth/logout')).status).toBe(204);
    await afterRounds(() => expect(other.isOpen).toBe(false));
    expect(stream.isOpen).toBe(true);
  });

  itWithClock('ends when its session expires', async () => {
    const stream = await openStream();
    advanceClock(WEEK_MS);
    await afterRounds(() => expect(stream.isOpen).toBe(false));
  });
});

describe('429 | a route of a team’s | more changes than a session may make (contract: Own account)', () => {
  const here = useGatehouse(() => startTeamApp(guarded, limits));

  it('counts each change once, before its body is read, and no reading', async () => {
    const browser = new Browser(here);
    await browser.signUp('Ann');
    const calls = Array.from({ length: 2 * MAX }, () => browser.at(here).post(ROUTE, BODY));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(MAX);
    expect(statuses.filter((status) => status === 429)).toHaveLength(MAX);
    expect((await browser.post(ROUTE, '[')).headers['retry-after']).toBe('3600');
    expect((await browser.get(ROUTE)).status).toBe(200);
  });
});
