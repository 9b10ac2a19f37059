import { randomUUID } from 'node:crypto';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { decodeJwt } from 'jose';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { type AccessDecision, AccessPolicy, type AccessRequest } from '#libs/oauth';
import { Browser } from '../support/browser.js';
import { changeConnection } from '../support/connection.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import {
  connectTo,
  introspect,
  REPORTS_TO_CHANGE,
  ResourceFiles,
} from '../support/resource-files.js';
import { itWithClock } from '../support/services/describe-with.js';
import { startTeamApp } from './team-app.js';

const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const WITHOUT_CODE = { scopes: ['account:read', 'tabs:read', 'tabs:write'] };
const REFUSAL = { refusal: 'Only people of Acme connect apps.' };
const DESCRIPTION = { error: 'invalid_grant', error_description: REFUSAL.refusal };

type Answering = (request: AccessRequest, signal: AbortSignal) => unknown;

/** Answers as the test decides. */
class ChangingPolicy extends AccessPolicy {
  answer: Answering = () => 'allow';
  readonly asked: AccessRequest[] = [];

  async decide(request: AccessRequest, signal: AbortSignal) {
    this.asked.push(request);
    return (await this.answer(request, signal)) as AccessDecision;
  }
}

interface Connections {
  readonly connections: readonly { readonly id: string; readonly permissions: object }[];
}

describe('who may connect an app (contract: Access policy)', () => {
  const policy = new ChangingPolicy();
  let started: Gatehouse;
  let place: { port: number; origin: string };
  let browser: Browser;
  let client: OAuthClient;

  const connectionsOf = async () =>
    (await browser.get('/svc/me/connections')).json<Connections>().connections;
  const patch = async (permissions: object) => {
    const [connection] = await connectionsOf();
    return browser.send('PATCH', `/svc/me/connections/${connection?.id}`, { permissions });
  };
  const runCode = (token: string) =>
    client.mcp(token, 'tools/call', { name: 'run_code', arguments: { code: '1' } });
  const openRequest = () =>
    eventually(async () => {
      const { requests } = (await browser.get('/svc/me/requests')).json<{
        requests: readonly { readonly id: string }[];
      }>();
      return requests[0]?.id ?? Promise.reject(new Error('no request yet'));
    });
  const errorAtClient = (location = '') => Object.fromEntries(new URL(location).searchParams);

  beforeAll(async () => {
    const replacements = { oauth: [{ provide: AccessPolicy, useValue: policy }] };
    started = await startTeamApp({ replacements });
    place = { port: started.port, origin: started.origin };
  });
  beforeEach(async () => {
    policy.answer = () => 'allow';
    browser = new Browser(place);
    await browser.signUp('Ann');
    client = await OAuthClient.register(place);
    policy.asked.length = 0;
  });
  afterEach(() => restoreClock());
  afterAll(() => started.stop());

  it('is asked with person, client and scopes at each step, once, and never where a token is used', async () => {
    const tokens = await client.connect(browser, ['account:read']);
    await client.mcp(tokens.access_token);
    await client.refresh(tokens.refresh_token);
    await changeConnection(browser, { permissions: { 'tabs:read': 'ask' } });
    await changeConnection(browser, { permissions: { 'tabs:read': 'off' }, paused: true });
    const { user } = await browser.me();
    const steps = ['consent', 'consent', 'code', 'refresh', 'change'];
    expect(policy.asked.map(({ step }) => step)).toEqual(steps);
    for (const asked of policy.asked) {
      expect(asked).toMatchObject({
        person: { id: user?.id, displayName: 'Ann', identities: [] },
        client: { id: client.id, name: 'Test App', published: null, redirectHosts: ['127.0.0.1'] },
        resource: `${place.origin}/svc/mcp`,
      });
      expect(asked.scopes).toEqual(SCOPES);
      expect(Math.abs(Date.now() - asked.person.createdAt)).toBeLessThan(600_000);
    }
  });

  it('a refusal is a page with its sentence, whose button tells the app access_denied', async () => {
    policy.answer = () => ({ refusal: 'Only people of <Acme> connect apps.' });
    const page = await browser.get(client.authorizePath());
    expect([page.status, page.text.includes('name="scope"')]).toEqual([200, false]);
    expect(page.text).toContain('Only people of &lt;Acme&gt; connect apps.');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const handle = await client.showConsent(browser);
    const answer = await client.answerConsent(browser, handle, [], 'deny');
    expect(errorAtClient(answer.headers.location)).toMatchObject({ error: 'access_denied' });
  });

  it.each<[string, AccessDecision, string]>([
    ['sentence', REFUSAL, REFUSAL.refusal],
    [
      'sentence with letters that RFC 6749 does not allow',
      { refusal: 'Nur für Acme.' },
      'this service does not let this person connect this app',
    ],
    [
      'list without scopes',
      { scopes: [] },
      'This service gives this app no permission for your account.',
    ],
    [
      'list of other scopes',
      { scopes: ['admin'] },
      'This service gives this app no permission for your account.',
    ],
    ['list without what was ticked', WITHOUT_CODE, 'this service gives none of the scopes'],
  ])(
    'access_denied | consent | form open while the policy changes to a %s',
    async (_what, decision, description) => {
      const handle = await client.showConsent(browser);
      policy.answer = () => decision;
      const answer = await client.answerConsent(browser, handle, ['code:run']);
      const error = { error: 'access_denied', error_description: description };
      expect(errorAtClient(answer.headers.location)).toMatchObject(error);
      expect(await connectionsOf()).toEqual([]);
    },
  );

  it('narrows the form, and what a made-up form asks for', async () => {
    policy.answer = () => WITHOUT_CODE;
    const page = await browser.get(client.authorizePath());
    expect(page.text).toContain('name="scope" value="tabs:write"');
    expect(page.text).not.toContain('code:run');
    const { scope } = await client.connect(browser, SCOPES);
    expect(scope).toBe('account:read tabs:read tabs:write');
  });

  it.each(['code', 'refresh'] as const)(
    '400 | token endpoint | refused at the %s: one sentence, nothing used up, and it goes on when the policy allows',
    async (step) => {
      const code = await client.authorize(browser);
      let present = () => client.exchange(code);
      if (step === 'refresh') {
        const { refresh_token: token } = (await present()).json<TokenResponse>();
        present = () => client.refresh(token);
      }
      policy.answer = () => REFUSAL;
      for (let n = 0; n < 3; n += 1) {
        const refused = await present();
        expect([refused.status, refused.json()]).toEqual([400, DESCRIPTION]);
      }
      policy.answer = () => 'allow';
      expect((await present()).status).toBe(200);
      expect(await connectionsOf()).toHaveLength(1);
    },
  );

  it('a refusal that ends the connection ends its tokens at once, and of this connection alone', async () => {
    const other = await (await OAuthClient.register(place)).connect(browser);
    const { access_token: token, refresh_token: refresh } = await client.connect(browser);
    policy.answer = () => ({ ...REFUSAL, endsConnection: true });
    const refused = await client.refresh(refresh);
    expect([refused.status, refused.json()]).toEqual([400, DESCRIPTION]);
    expect((await client.mcp(token)).status).toBe(401);
    expect((await client.mcp(other.access_token)).status).toBe(200);
    policy.answer = () => 'allow';
    expect((await client.refresh(refresh)).status).toBe(400);
  });

  it('is not asked for a code or token that is not valid, and a replay still ends the grant', async () => {
    const { refresh_token: first, access_token: token } = await client.connect(browser);
    const second = (await client.refresh(first)).json<TokenResponse>();
    const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
    const code = await client.authorize(browser);
    policy.asked.length = 0;
    policy.answer = () => ({ ...REFUSAL, endsConnection: true });
    const stranger = await OAuthClient.register(place);
    expect((await stranger.refresh(third.refresh_token)).status).toBe(400);
    expect((await client.exchange(code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
    expect((await client.refresh(first)).status).toBe(400);
    expect((await client.mcp(token)).status).toBe(401);
    expect(policy.asked).toEqual([]);
  });

  it('narrows at refresh: the new token lacks the scope, its person is not asked for it, and it comes back', async () => {
    const before = await client.connect(browser, SCOPES);
    expect((await runCode(before.access_token)).status).toBe(200);
    policy.answer = () => WITHOUT_CODE;
    const narrowed = (await client.refresh(before.refresh_token)).json<TokenResponse>();
    expect(narrowed.scope).toBe('account:read tabs:read tabs:write');
    expect((await runCode(narrowed.access_token)).status).toBe(403);
    const listed = await client.mcp(narrowed.access_token);
    expect(listed.text).not.toContain('"run_code"');
    // What was issued before goes on until its time is over.
    expect((await runCode(before.access_token)).status).toBe(200);
    policy.answer = () => 'allow';
    const again = (await client.refresh(narrowed.refresh_token)).json<TokenResponse>();
    expect(again.scope).toBe(SCOPES.join(' '));
  });

  it('400 | /svc/me/connections | a scope that the policy withholds; what the token lacks stays so', async () => {
    policy.answer = () => WITHOUT_CODE;
    const { access_token: token } = await client.connect(browser, SCOPES);
    for (const word of ['allow', 'ask']) {
      const refused = await patch({ 'code:run': word, 'tabs:read': 'off' });
      const error = 'this service does not give the app that permission';
      expect([refused.status, refused.json()]).toEqual([400, { error }]);
    }
    const [connection] = await connectionsOf();
    expect(connection?.permissions).toMatchObject({ 'tabs:read': 'allow', 'code:run': 'off' });
    const page = await browser.get(`/svc/account/apps/${connection?.id}`);
    expect(page.text).toContain('name="permission:tabs:read"');
    expect(page.text).not.toContain('name="permission:code:run"');
    // Off while the app may ask would be a request; the token is bound, also if the policy widens meanwhile.
    expect((await runCode(token)).status).toBe(403);
    policy.answer = () => 'allow';
    expect((await patch({ 'code:run': 'allow' })).status).toBe(200);
    expect((await runCode(token)).status).toBe(403);
  });

  it('narrowing and pausing by the person do not depend on it', async () => {
    await client.connect(browser, SCOPES);
    policy.answer = () => Promise.reject(new Error('the directory is down'));
    await changeConnection(browser, { permissions: { 'code:run': 'off' } });
    await changeConnection(browser, { paused: true, permissions: { 'tabs:write': 'ask' } });
    const [connection] = await connectionsOf();
    expect((await browser.get(`/svc/account/apps/${connection?.id}`)).status).toBe(200);
    expect((await patch({ 'code:run': 'allow' })).status).toBe(503);
  });

  it.each(['change', 'decision'])(
    '401 | a %s of a session that ends while the policy thinks | and nothing is allowed',
    async (what) => {
      const { access_token: token } = await client.connect(browser, ['account:read']);
      const thief = new Browser(place, browser.authenticator);
      await thief.signIn();
      const waiting = what === 'decision' ? runCode(token) : undefined;
      const id = waiting && (await openRequest());
      const ending = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      policy.answer = async () => {
        asked.resolve();
        await ending.promise;
        return 'allow';
      };
      const [connection] = await connectionsOf();
      const answer = id
        ? thief.post(`/svc/me/requests/${id}`, { decision: 'always' })
        : thief.send('PATCH', `/svc/me/connections/${connection?.id}`, {
            permissions: { 'code:run': 'allow' },
          });
      await asked.promise;
      await thief.post('/svc/auth/logout');
      ending.resolve();
      expect((await answer).status).toBe(401);
      expect((await connectionsOf())[0]?.permissions).toMatchObject({ 'code:run': 'off' });
      if (!id) return;
      expect((await browser.post(`/svc/me/requests/${id}`, { decision: 'no' })).status).toBe(200);
      expect((await waiting)?.text).toContain('"isError":true');
    },
  );

  it.each(['once', 'always'])(
    '400 | /svc/me/requests/<id> | %s for a permission that the policy withholds since it was asked',
    async (decision) => {
      const { access_token: token } = await client.connect(browser, ['account:read']);
      const waiting = runCode(token);
      const id = await openRequest();
      policy.answer = () => WITHOUT_CODE;
      const path = `/svc/me/requests/${id}`;
      expect((await browser.post(path, { decision })).status).toBe(400);
      expect((await browser.post(path, { decision: 'no' })).status).toBe(200);
      expect((await waiting).text).toContain('"isError":true');
    },
  );

  it.each([
    ['is ask', 'ask'],
    ['was ask and is off since', 'off'],
  ])(
    '400 | /svc/me/requests/<id> | a yes for a scope that %s, and that the policy withholds since it was asked',
    async (_what, word) => {
      const { access_token: token } = await client.connect(browser, ['account:read', 'code:run']);
      await changeConnection(browser, { permissions: { 'code:run': 'ask' } });
      const waiting = runCode(token);
      const path = `/svc/me/requests/${await openRequest()}`;
      await changeConnection(browser, { permissions: { 'code:run': word } });
      policy.answer = () => WITHOUT_CODE;
      for (const decision of ['once', 'always']) {
        const refused = await browser.post(path, { decision });
        const error = 'this service does not give the app that permission';
        expect([refused.status, refused.json()]).toEqual([400, { error }]);
      }
      policy.answer = () => Promise.reject(new Error('the directory is down'));
      expect((await browser.post(path, { decision: 'once' })).status).toBe(503);
      expect((await browser.post(path, { decision: 'no' })).status).toBe(200);
      expect((await waiting).text).toContain('"isError":true');
    },
  );

  it.each<[string, Answering]>([
    ['throws', () => Promise.reject(new Error('secret of the directory'))],
    ['returns nothing', () => undefined],
    ['returns true', () => true],
    ['returns an empty sentence', () => ({ refusal: ' ' })],
    ['returns scopes that are no list', () => ({ scopes: 'account:read' })],
  ])(
    '503 | everywhere | a policy that %s gives nothing and uses up nothing',
    async (_what, answer) => {
      const handle = await client.showConsent(browser);
      policy.answer = answer;
      const page = await browser.get(client.authorizePath());
      expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
      expect(page.text).not.toContain('secret');
      expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(503);
      policy.answer = () => 'allow';
      const approved = await client.answerConsent(browser, handle, ['account:read']);
      const code = errorAtClient(approved.headers.location)['code'] ?? '';
      policy.answer = answer;
      const failed = await client.exchange(code);
      expect([failed.status, failed.json()['error']]).toEqual([503, 'temporarily_unavailable']);
      expect(failed.headers['retry-after']).toBe('5');
      policy.answer = () => 'allow';
      expect((await client.exchange(code)).status).toBe(200);
    },
  );

  it('503 | token endpoint | a policy that never answers is given up, and told so', async () => {
    const { refresh_token: token } = await client.connect(browser);
    let given: AbortSignal | undefined;
    policy.answer = (_request, signal) => {
      given = signal;
      return new Promise(() => {});
    };
    expect((await client.refresh(token)).status).toBe(503);
    expect(given?.aborted).toBe(true);
    policy.answer = () => 'allow';
    expect((await client.refresh(token)).status).toBe(200);
  });

  it('of refreshes at once each token has what the policy said for it', async () => {
    const { refresh_token: token } = await client.connect(browser, SCOPES);
    let count = 0;
    policy.answer = () => (count++ % 2 === 0 ? WITHOUT_CODE : 'allow');
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.refresh(token)));
    const issued = answers.map((answer) => answer.json<TokenResponse>());
    expect(issued.filter(({ scope }) => scope.includes('code:run'))).toHaveLength(4);
    policy.answer = () => 'allow';
    for (const { access_token: access, scope } of issued) {
      expect((await runCode(access)).status).toBe(scope.includes('code:run') ? 200 : 403);
    }
  });

  itWithClock('a token of before the refusal ends with its hour', async () => {
    const { access_token: token } = await client.connect(browser);
    policy.answer = () => REFUSAL;
    expect((await client.mcp(token)).status).toBe(200);
    advanceClock(3_601_000);
    expect((await client.mcp(token)).status).toBe(401);
  });
});

const ALL_REPORTS = 'reports:read reports:write';

const replacing = (policy: AccessPolicy) => ({
  oauth: [{ provide: AccessPolicy, useValue: policy }],
});

describe('who may connect an app: JWT access tokens (contract: Access policy)', () => {
  const policy = new ChangingPolicy();
  let files: ResourceFiles;
  let started: Gatehouse;
  let browser: Browser;

  const claimsOf = ({ access_token: token, scope }: TokenResponse) => ({
    said: scope,
    inToken: decodeJwt(token)['scope'],
  });
  const told = async ({ access_token: token }: TokenResponse) =>
    (await introspect(started, token, REPORTS_TO_CHANGE))['scope'];

  beforeAll(async () => {
    files = await ResourceFiles.of(REPORTS_TO_CHANGE);
    started = await startTeamApp({ replacements: replacing(policy) }, files.variables);
  });
  beforeEach(async () => {
    policy.answer = () => 'allow';
    browser = new Browser(started);
    await browser.signUp('Ann');
    policy.asked.length = 0;
  });
  afterAll(async () => {
    await started.stop();
    files.remove();
  });

  it('have the narrowed scopes from the code on, whatever the refresh asks for, until it allows more', async () => {
    const handle = { scopes: ['reports:read'] };
    policy.answer = ({ step }) => (step === 'consent' ? 'allow' : handle);
    const { client, ...first } = await connectTo(started, browser, REPORTS_TO_CHANGE);
    expect(claimsOf(first)).toEqual({ said: 'reports:read', inToken: 'reports:read' });
    const asking = await client.refresh(first.refresh_token, { scope: ALL_REPORTS });
    const second = asking.json<TokenResponse>();
    expect([asking.status, claimsOf(second)]).toEqual([200, claimsOf(first)]);
    expect(await Promise.all([first, second].map(told))).toEqual(Array(2).fill('reports:read'));
    policy.answer = () => 'allow';
    const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
    expect(claimsOf(third)).toEqual({ said: ALL_REPORTS, inToken: ALL_REPORTS });
    // An earlier token stays as it is.
    expect(await Promise.all([second, third].map(told))).toEqual(['reports:read', ALL_REPORTS]);
    for (const { resource, scopes } of policy.asked) {
      expect([resource, scopes.join(' ')]).toEqual([REPORTS_TO_CHANGE.resource, ALL_REPORTS]);
    }
  });

  it('are narrowed at refresh, to each list that the policy says, and to what the refresh asks for', async () => {
    const { client, ...first } = await connectTo(started, browser, REPORTS_TO_CHANGE);
    expect(claimsOf(first)).toEqual({ said: ALL_REPORTS, inToken: ALL_REPORTS });
    let { refresh_token: refresh } = first;
    const refreshed = async (scopes: string[], asks?: string) => {
      policy.answer = () => ({ scopes });
      const answer = await client.refresh(refresh, asks === undefined ? {} : { scope: asks });
      const tokens = answer.json<TokenResponse>();
      ({ refresh_token: refresh } = tokens);
      return claimsOf(tokens);
    };
    const only = (scope: string) => ({ said: scope, inToken: scope });
    expect(await refreshed(['reports:write', 'account:read'])).toEqual(only('reports:write'));
    expect(await refreshed(['reports:read'])).toEqual(only('reports:read'));
    const both = ['reports:read', 'reports:write'];
    expect(await refreshed(both, 'reports:write')).toEqual(only('reports:write'));
  });

  it('are not issued where it refuses, and the refresh token goes on', async () => {
    const { client, ...first } = await connectTo(started, browser, REPORTS_TO_CHANGE);
    for (const decision of [REFUSAL, { scopes: ['account:read'] }]) {
      policy.answer = () => decision;
      const refused = await client.refresh(first.refresh_token);
      expect([refused.status, refused.json()['error']]).toEqual([400, 'invalid_grant']);
      expect(refused.text).not.toContain('access_token');
    }
    policy.answer = () => ({ ...REFUSAL, endsConnection: true });
    expect(await told(first)).toBe(ALL_REPORTS);
    expect((await client.refresh(first.refresh_token)).status).toBe(400);
    expect((await introspect(started, first.access_token, REPORTS_TO_CHANGE))['active']).toBe(
      false,
    );
  });
});

describe('who may connect an app: managed access (contract: Access policy)', () => {
  const policy = new ChangingPolicy();
  const ISSUED = ['account:read', 'tabs:read'];
  const NO_ACCESS = {
    error: 'invalid_grant',
    error_description:
      'the person of the assertion has no access here; contact an administrator of this service',
  };
  let files: ResourceFiles;
  let managed: ManagedAccess;
  let started: Gatehouse;
  let client: OAuthClient;
  let subject: string;
  const events: SecurityEvent[] = [];

  const assertion = (claims = {}) => managed.assertion(subject, claims);
  const present = (presented: string) =>
    client.token({
      grant_type: JWT_BEARER,
      assertion: presented,
      client_secret: managed.client.secret ?? '',
    });
  const given = async (claims = {}) => {
    const answer = await present(await assertion(claims));
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.json<TokenResponse>();
  };
  const listTabs = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token, 'tools/call', { name: 'list_tabs', arguments: {} })).status;

  beforeAll(async () => {
    files = await ResourceFiles.of(REPORTS_TO_CHANGE);
    const scopes = [...ISSUED, 'reports:read', 'reports:write'];
    managed = await startManagedAccess({
      entries: { acme: { name: 'Acme', scopes, accounts: 'create' } },
      variables: files.variables,
    });
    const variables = { ...files.variables, TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile };
    started = await startGatehouse(variables, managed.gatehouse, [
      { replacements: replacing(policy) },
    ]);
    started.app.get(SecurityEventsService, { strict: false }).listen((event) => events.push(event));
    client = OAuthClient.published(managed.gatehouse, managed.client.id).at(started);
  });
  beforeEach(() => {
    subject = randomUUID();
    policy.answer = () => 'allow';
    policy.asked.length = 0;
    events.length = 0;
  });
  afterAll(async () => {
    await started.stop();
    await managed.stop();
    files.remove();
  });

  it('is asked once for each assertion, with the identity and what the issuer gives', async () => {
    const presented = await assertion();
    expect((await present(presented)).json<TokenResponse>().scope).toBe(ISSUED.join(' '));
    // It was used: the policy has no say.
    expect((await present(presented)).status).toBe(400);
    await given({ scope: 'tabs:read' });
    expect(policy.asked.map(({ step, scopes }) => [step, ...scopes])).toEqual([
      ['managed', ...ISSUED],
      ['managed', 'tabs:read'],
    ]);
    for (const asked of policy.asked) {
      expect(asked).toMatchObject({
        person: { identities: [{ issuer: managed.idp.issuer('acme'), subject }] },
        client: { id: managed.client.id, name: 'Managed App', published: null },
        resource: `${managed.gatehouse.origin}/svc/mcp`,
      });
    }
  });

  it('narrows the token and its scope, never adds to them, and a later assertion brings them back', async () => {
    policy.answer = () => ({ scopes: ['account:read', 'code:run'] });
    const narrowed = await given();
    expect([narrowed.scope, await listTabs(narrowed)]).toEqual(['account:read', 403]);
    policy.answer = () => 'allow';
    const all = await given();
    expect([all.scope, await listTabs(all)]).toEqual([ISSUED.join(' '), 200]);
    // Bound to what the policy gave for it.
    expect(await listTabs(narrowed)).toBe(403);
    policy.answer = () => ({ scopes: ['account:read'] });
    await given();
    expect(await listTabs(all)).toBe(200);
  });

  it('narrows a JWT for another resource', async () => {
    const resource = REPORTS_TO_CHANGE.resource;
    const scopesOf = async () => {
      const { access_token: token, scope } = await given({ resource });
      return [scope, decodeJwt(token)['scope']];
    };
    expect(await scopesOf()).toEqual([ALL_REPORTS, ALL_REPORTS]);
    policy.answer = () => ({ scopes: ['reports:read'] });
    expect(await scopesOf()).toEqual(['reports:read', 'reports:read']);
    policy.answer = () => 'allow';
    expect(await scopesOf()).toEqual([ALL_REPORTS, ALL_REPORTS]);
  });

  it.each<[string, AccessDecision, string]>([
    ['a sentence', { ...REFUSAL, endsConnection: true }, REFUSAL.refusal],
    [
      'no scope that the issuer gives',
      { scopes: ['code:run'] },
      'This service gives this app no permission for your account.',
    ],
  ])(
    '400 | token endpoint | refused with %s: as any person without access, for operators the reason, nothing used up',
    async (_what, decision, reason) => {
      const before = await given();
      policy.answer = () => decision;
      const presented = await assertion();
      for (let n = 0; n < 3; n += 1) {
        const refused = await present(presented);
        expect([refused.status, refused.json()]).toEqual([400, NO_ACCESS]);
      }
      expect(events.at(-1)).toMatchObject({
        type: 'managed-access-refused',
        userId: expect.any(String),
        clientId: managed.client.id,
        detail: `invalid_grant: Acme: ${reason}`,
      });
      // What the app has goes on.
      expect(await listTabs(before)).toBe(200);
      policy.answer = () => 'allow';
      expect((await present(presented)).status).toBe(200);
    },
  );

  it('503 | token endpoint | undecided: nothing is given or used up', async () => {
    const presented = await assertion();
    policy.answer = () => Promise.reject(new Error('secret of the directory'));
    const failed = await present(presented);
    expect([failed.status, failed.json()['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(failed.headers['retry-after']).toBe('5');
    expect(failed.text).not.toContain('secret');
    policy.answer = () => 'allow';
    expect((await present(presented)).status).toBe(200);
  });

  it('of parallel calls with one assertion, while the policy thinks, one gets a token', async () => {
    const presented = await assertion();
    let release = () => {};
    const waited = new Promise<void>((resolve) => (release = resolve));
    policy.answer = () => waited.then(() => 'allow');
    const answers = Array.from({ length: 6 }, () => present(presented));
    await eventually(() => expect(policy.asked).toHaveLength(6));
    release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
  });
});
