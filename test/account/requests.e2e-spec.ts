import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { DataSource } from 'typeorm';
import { ConfirmationsService } from '#libs/passkeys';
import { advanceClock, eventually } from '#libs/platform/testing';
import { answerRequest, type Asked, done, notes, oneRequest, REQUESTS } from '../mcp/asking.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import type { GetOverrides } from '../support/soft-authenticator/index.js';
import { passkeysOf, sessionsOf, withFurtherPasskey } from './own-account.js';

const WRITE = 'notes:write';
const UNKNOWN = `${REQUESTS}/${'A'.repeat(22)}`;
const TEN_MINUTES = 10 * 60_000;

/** A call whose client goes away once its person is asked. */
async function askBy(app: ConnectedApp, name: string, text = 'hello'): Promise<Asked> {
  const stop = new AbortController();
  const params = { name, arguments: { text } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const call = app.sendText(JSON.stringify(message), stop.signal);
  const answered = call.then(({ status, text: body }) => {
    throw new Error(`answered before anyone was asked: ${status} ${body}`);
  });
  const request = await Promise.race([oneRequest(app.browser), answered]);
  stop.abort();
  await call.catch(() => undefined);
  return request;
}

describe('routes of requests (contract: Requests)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({}, undefined, [notes]));
  let app: ConnectedApp;
  let browser: Browser;

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
    ({ browser } = app);
  });

  it.each([REQUESTS, UNKNOWN, `${UNKNOWN}/options`])(
    '401 | %s | without a session, one that ended, or from elsewhere, whatever method and body',
    async (path) => {
      const ended = new Browser(gatehouse, browser.authenticator);
      await ended.signIn();
      const { cookie } = ended;
      await ended.post('/svc/auth/logout');
      ended.cookie = cookie;
      const evil = { origin: 'https://evil.example' };
      const answers = [
        await new Browser(gatehouse).send('GET', path),
        await ended.send('GET', path),
      ];
      for (const method of ['POST', 'PATCH']) {
        answers.push(
          await new Browser(gatehouse).send(method, path, '['),
          await ended.send(method, path, '['),
          await browser.send(method, path, '[', evil),
        );
      }
      for (const answer of answers) {
        expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it.each([
    ['POST', REQUESTS, 'GET'],
    ['PUT', UNKNOWN, 'GET, POST'],
    ['PATCH', UNKNOWN, 'GET, POST'],
    ['PATCH', `${UNKNOWN}/options`, 'POST'],
  ])('405 | %s %s | before body and id', async (method, path, allow) => {
    const answer = await browser.send(method, path, '[');
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
  });

  it('413 and 400 | a decision | the body, before the id', async () => {
    const bodies = ['x'.repeat(16_385), '[', '[]', '{}', { decision: 'yes' }];
    const answers = [];
    for (const body of [...bodies, { decision: 'once', assertion: 'x' }]) {
      answers.push(await browser.send('POST', UNKNOWN, body));
    }
    expect(answers.map(({ status }) => status)).toEqual([413, 400, 400, 400, 400, 400]);
    for (const answer of answers) expect(answer.json()).toEqual({ error: expect.any(String) });
  });

  it('404 | an id that is unknown, of another account, or spelled otherwise | with nothing of it', async () => {
    const { id } = await askBy(app, 'note', 'the secret');
    const stranger = new Browser(gatehouse);
    await stranger.signUp('Bob');
    const decision = { decision: 'once' };
    for (const [who, path] of [
      [stranger, `${REQUESTS}/${id}`],
      [browser, UNKNOWN],
      [browser, `${REQUESTS}/${id}/`],
      [browser, `${REQUESTS}/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`],
      [browser, `${REQUESTS}/${id}%00`],
      [browser, `${REQUESTS}/${'x'.repeat(4_000)}`],
    ] as const) {
      const answers = [await who.send('GET', path), await who.send('POST', path, decision)];
      if (!path.endsWith('/')) answers.push(await who.send('POST', `${path}/options`));
      for (const answer of answers) {
        expect([answer.status, answer.json()]).toEqual([404, { error: 'no such request' }]);
      }
    }
    expect((await stranger.get(REQUESTS)).json()).toEqual({ requests: [] });
    expect((await oneRequest(browser)).id).toBe(id);
  });

  it.each(['once', 'always', 'no'])(
    '409 | a request that was decided, %s | before what its decision needs, and for options',
    async (first) => {
      const { id } = await askBy(app, 'note');
      const decide = (decision: string) =>
        browser.post(`${REQUESTS}/${id}`, { decision, assertion: {} });
      const answers = await Promise.all([first, first, first, first].map(decide));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      for (const decision of ['once', 'always', 'no']) {
        expect((await decide(decision)).status).toBe(409);
      }
      expect((await browser.post(`${REQUESTS}/${id}/options`)).status).toBe(409);
    },
  );

  itWithClock('409 | a request that is open for 10 minutes | shown for an hour more', async () => {
    const { id } = await askBy(app, 'note');
    advanceClock(TEN_MINUTES + 1_000);
    const late = await browser.post(`${REQUESTS}/${id}`, { decision: 'once' });
    expect([late.status, late.json()['error']]).toEqual([
      409,
      'this was answered, or waited longer than 10 minutes; the app can ask again',
    ]);
    expect((await browser.get(REQUESTS)).json()).toEqual({ requests: [] });
    const found = (await browser.get(`${REQUESTS}/${id}`)).json<{ request: Asked }>();
    expect(found.request).toMatchObject({ state: 'expired', arguments: null });
    advanceClock(60 * 60_000);
    expect((await browser.get(`${REQUESTS}/${id}`)).status).toBe(404);
  });

  it('a decision is in the activity and in the audit trail, without the arguments', async () => {
    await askBy(app, 'note', 'the secret');
    await answerRequest(browser, 'no');
    await app.change({ permissions: { [WRITE]: 'ask' } });
    await askBy(app, 'note', 'another secret');
    await answerRequest(browser, 'always');
    const read = app.send('resources/read', { uri: 'tabs://secret' });
    await answerRequest(browser, 'once');
    await read;
    await eventually(async () => {
      const { text } = await browser.get('/svc/me/activity');
      for (const type of ['request-refused', 'request-approved', 'connection-changed']) {
        expect(text).toContain(type);
      }
      expect(text).not.toContain('secret');
    });
    // The address of a resource says what is read.
    await eventually(async () => {
      const rows: { facts: string }[] = await gatehouse.app
        .get(DataSource)
        .query("SELECT facts FROM audit_events WHERE type LIKE 'request-%'");
      expect(rows.length).toBeGreaterThanOrEqual(3);
      expect(JSON.stringify(rows)).not.toContain('secret');
    });
  });
});

describe.each([
  ['a tool with confirm', {}, 'publish'],
  ['any tool where APPROVALS=passkey', { APPROVALS: 'passkey' }, 'note'],
])('a request confirmed with a passkey (contract: Requests): %s', (_what, variables, tool) => {
  const gatehouse = useGatehouse(() => startGatehouse(variables, undefined, [notes]));
  const isBound = tool === 'publish';
  let app: ConnectedApp;
  let browser: Browser;
  let request: Asked;
  let text: string;

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
    ({ browser } = app);
    await app.change({ permissions: { [WRITE]: 'ask' } });
    text = crypto.randomUUID();
    request = await askBy(app, tool, text);
  });

  const optionsFor = async (id = request.id, who = browser) =>
    (await who.post(`${REQUESTS}/${id}/options`)).json<PublicKeyCredentialRequestOptionsJSON>();
  const assertionOf = async (overrides: GetOverrides = {}, id?: string) =>
    browser.authenticator.get(await optionsFor(id), gatehouse.origin, { overrides });
  const decide = (assertion: AuthenticationResponseJSON | undefined, decision = 'once') =>
    browser.post(`${REQUESTS}/${request.id}`, { decision, assertion });
  const stateOf = async () =>
    (await browser.get(`${REQUESTS}/${request.id}`)).json<{ request: Asked }>().request.state;
  const ran = () => done.filter((each) => each === text).length;

  it('is allowed once by an assertion for it, which begins no session', async () => {
    expect(request.passkey).toBe(true);
    await withFurtherPasskey(gatehouse, browser);
    const before = await sessionsOf(browser);
    const options = await optionsFor();
    const ids = (await passkeysOf(browser)).map(({ id }) => id);
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual(ids);
    const decided = await decide(await browser.authenticator.get(options, gatehouse.origin));
    expect([decided.status, decided.headers['set-cookie']]).toEqual([200, undefined]);
    const started = (sessions: typeof before) =>
      sessions.map(({ id, createdAt }) => [id, createdAt]);
    expect(started(await sessionsOf(browser))).toEqual(started(before));
    expect(await app.have(tool, { text })).toEqual({ text });
    expect(ran()).toBe(1);
    await eventually(async () => {
      expect((await browser.get('/svc/me/activity')).text).toContain('request-approved');
    });
  });

  it('403 | without an assertion, or with one that does not fit | and stays open', async () => {
    const other = new Browser(gatehouse);
    await other.signUp('Bob');
    const ofOther = async () => {
      const { allowCredentials: _own, ...options } = await optionsFor();
      return other.authenticator.get(options, gatehouse.origin);
    };
    const answers = [
      await decide(undefined),
      await decide({} as AuthenticationResponseJSON),
      await decide(await browser.assert()),
      await decide(await assertionOf({ uv: false })),
      await decide(await assertionOf({ badSignature: true })),
      await decide(await assertionOf({ origin: 'https://evil.example' })),
      await decide(await ofOther()),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect([await stateOf(), ran()]).toEqual(['open', 0]);
    expect((await decide(await assertionOf())).status).toBe(200);
  });

  it('403 | with the assertion for another request, of the same account | which is used up', async () => {
    const assertion = await assertionOf();
    await answerRequest(browser, 'no');
    await app.change({ permissions: { [WRITE]: 'ask' } });
    const first = request;
    request = await askBy(app, tool, `${text}.`);
    expect(request.id).not.toBe(first.id);
    expect((await decide(assertion)).status).toBe(403);
    const right = await assertionOf();
    expect((await decide(right)).status).toBe(200);
    request = await askBy(app, tool, `${text}!`);
    expect((await decide(right)).status).toBe(403);
  });

  it('403 | with a passkey that was removed since its assertion was verified | and stays open', async () => {
    await withFurtherPasskey(gatehouse, browser);
    const assertion = await assertionOf();
    const confirmations = gatehouse.app.get(ConfirmationsService, { strict: false });
    const verify = confirmations.verify.bind(confirmations);
    const spy = jest.spyOn(confirmations, 'verify').mockImplementation(async (...args) => {
      const verified = await verify(...args);
      const removed = await browser.send('DELETE', `/svc/me/passkeys/${assertion.id}`);
      expect(removed.status).toBe(204);
      return verified;
    });
    expect((await decide(assertion)).status).toBe(403);
    spy.mockRestore();
    expect([await stateOf(), ran()]).toEqual(['open', 0]);
  });

  it('one of two decisions at once with the same assertion counts', async () => {
    const assertion = await assertionOf();
    const answers = await Promise.all([1, 2, 3, 4].map(() => decide(assertion)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 403, 409].includes(status))).toBe(true);
  });

  it('is refused without a passkey', async () => {
    expect((await decide(undefined, 'no')).status).toBe(200);
    expect(await app.refusal(tool, { text })).toContain('said no');
  });

  it(`${isBound ? '400' : '403'} | always | ${isBound ? 'before the passkey' : 'without the passkey'}`, async () => {
    const refused = await decide(undefined, 'always');
    expect([refused.status, await stateOf()]).toEqual([isBound ? 400 : 403, 'open']);
    const confirmed = await decide(await assertionOf(), 'always');
    expect(confirmed.status).toBe(isBound ? 400 : 200);
    expect(await stateOf()).toBe(isBound ? 'open' : 'always');
  });
});

describe('a request that was asked while a click was enough (contract: Requests)', () => {
  const before = useGatehouse(() => startGatehouse({}, undefined, [notes]));
  const gatehouse = useGatehouse(() => startGatehouse({ APPROVALS: 'passkey' }, before, [notes]));

  it.each(['once', 'always'])(
    '403 | %s | by a click on a replica where APPROVALS=passkey, which shows that it takes a passkey',
    async (decision) => {
      const app = await ConnectedApp.connect(before, ['account:read']);
      const { id, passkey } = await askBy(app, 'note');
      const browser = app.browser.at(gatehouse);
      const path = `${REQUESTS}/${id}`;
      expect([passkey, (await oneRequest(browser)).passkey]).toEqual([false, true]);
      const { request } = (await browser.get(path)).json<{ request: Asked }>();
      expect(request).toMatchObject({ state: 'open', passkey: true });
      expect((await browser.post(path, { decision })).status).toBe(403);
      const options = (
        await browser.post(`${path}/options`)
      ).json<PublicKeyCredentialRequestOptionsJSON>();
      const assertion = await browser.authenticator.get(options, before.origin);
      const decided = await browser.post(path, { decision, assertion });
      expect([decided.status, decided.json()['request']]).toEqual([
        200,
        expect.objectContaining({ state: decision, passkey: true }),
      ]);
    },
  );
});
