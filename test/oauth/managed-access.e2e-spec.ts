import { randomUUID } from 'node:crypto';
import {
  AccountPolicy,
  type Applicant,
  ConfiguredAccountPolicy,
  SecurityEventsService,
} from '#libs/accounts';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { beforeNextTransaction } from '../support/transactions.js';

const NO_ACCESS = [
  'invalid_grant',
  'the person of the assertion has no access here; contact an administrator of this service',
];
const USED = ['invalid_grant', 'the jti of the assertion was used before'];

interface App {
  readonly id: string;
  readonly user: string;
  readonly app: string;
  readonly scope: string[];
  readonly managedBy?: string;
}

interface User {
  readonly id: string;
  readonly displayName: string;
}

interface Page<T> {
  readonly items: T[];
}

class NamePolicy extends ConfiguredAccountPolicy {
  override async refusalOf({ displayName, identity }: Applicant) {
    return displayName === 'Mallory' ? `no account for ${identity?.subject}` : undefined;
  }
}

const errorOf = (answer: Answer) => {
  const { error, error_description: description } = answer.json();
  return [error, description];
};

describe('managed access (contract: Managed access)', () => {
  let managed: ManagedAccess;
  let admin: Admin;
  let subject: string;

  const client = () => OAuthClient.published(managed.gatehouse, managed.client.id);
  const given = async (assertion: Promise<string>, params?: Record<string, string>) => {
    const answer = await managed.present(await assertion, params);
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.json<TokenResponse>();
  };
  const signUp = async (name = 'Ann') => {
    const browser = new Browser(managed.gatehouse);
    const { user } = (await browser.signUp(name)).json<{ user: { id: string } }>();
    return { browser, id: user.id };
  };
  const link = (id: string, tenant = 'globex') =>
    admin.text('users', 'link', id, '--issuer', managed.idp.issuer(tenant), '--subject', subject);
  const ofLinked = (claims = {}) => managed.assertion(subject, claims, {}, 'globex');
  const appsOf = async (id: string) =>
    (await admin.json<Page<App>>('apps', 'list', '--user', id)).items;
  const accountOf = async (accessToken: string) => {
    const params = { name: 'account_status', arguments: {} };
    const answer = await client().mcp(accessToken, 'tools/call', params);
    const { result } = answer.json<{ result: { structuredContent: { user: User } } }>();
    return result.structuredContent.user;
  };

  beforeAll(async () => {
    managed = await startManagedAccess();
    admin = new Admin(managed.gatehouse);
  });
  beforeEach(() => {
    subject = randomUUID();
  });
  afterAll(() => managed.stop());

  it('gives an access token, and no refresh token, for an assertion of a trusted issuer', async () => {
    const { origin } = managed.gatehouse;
    const answer = await managed.present(await managed.assertion(subject));
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'account:read tabs:read',
        resource: `${origin}/svc/mcp`,
      },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { access_token: token } = answer.json<TokenResponse>();
    expect((await client().mcp(token)).status).toBe(200);
    expect((await client().mcp(token, 'tools/call', { name: 'list_tabs' })).status).toBe(200);
  });

  it('gives within what its person left on, which later assertions keep, and never beyond the issuer', async () => {
    const { browser, id } = await signUp();
    await link(id, 'acme');
    const connections = async () =>
      (await browser.get('/svc/me/connections')).json<{
        connections: { id: string; managedBy: string; permissions: object; expiresAt: number }[];
      }>().connections;
    const change = async (members: object) => {
      const [connection] = await connections();
      return browser.send('PATCH', `/svc/me/connections/${connection?.id}`, members);
    };
    const scopesOf = async ({ access_token: token }: TokenResponse) => {
      const params = { name: 'list_tabs', arguments: {} };
      return (await client().mcp(token, 'tools/call', params)).status;
    };
    const first = await given(managed.assertion(subject));
    const narrow = await given(managed.assertion(subject), { scope: 'tabs:read' });
    expect([first.scope, narrow.scope]).toEqual(['account:read tabs:read', 'tabs:read']);
    expect(await Promise.all([first, narrow].map(scopesOf))).toEqual([200, 200]);

    const all = await given(managed.assertion(subject));
    for (const word of ['allow', 'ask', 'off']) {
      const beyond = { mayAsk: false, permissions: { 'code:run': word } };
      expect((await change(beyond)).status).toBe(400);
    }
    const endsAt = Math.floor(Date.now() / 1000) + 500;
    const narrowing = { permissions: { 'tabs:read': 'off' }, mayAsk: false, endsAt };
    expect((await change(narrowing)).status).toBe(200);
    const later = await given(managed.assertion(subject));
    expect(later.scope).toBe('account:read');
    expect(later.expires_in).toBeLessThanOrEqual(500);
    expect(await Promise.all([first, narrow, all, later].map(scopesOf))).toEqual(
      Array(4).fill(403),
    );
    expect(await connections()).toMatchObject([
      {
        managedBy: 'Acme',
        permissions: { 'account:read': 'allow', 'tabs:read': 'off', 'code:run': 'off' },
        expiresAt: endsAt,
      },
    ]);
    const widening = { permissions: { 'tabs:read': 'allow' }, endsAt: null };
    expect((await change(widening)).status).toBe(200);
    expect(await Promise.all([first, narrow, all, later].map(scopesOf))).toEqual(
      Array(4).fill(200),
    );
    expect((await given(managed.assertion(subject))).expires_in).toBe(3600);
  });

  it('lets its person turn off what an earlier assertion gave, which a token still has', async () => {
    const { browser, id } = await signUp();
    await link(id, 'acme');
    const { access_token: wide } = await given(managed.assertion(subject));
    const { access_token: narrow } = await given(
      managed.assertion(subject, { scope: 'account:read' }),
    );
    const call = async (token: string) =>
      (await client().mcp(token, 'tools/call', { name: 'list_tabs', arguments: {} })).status;
    const [connection] = (await browser.get('/svc/me/connections')).json<{
      connections: { id: string; permissions: object }[];
    }>().connections;
    expect(connection?.permissions).toMatchObject({ 'tabs:read': 'allow', 'code:run': 'off' });
    expect([await call(wide), await call(narrow)]).toEqual([200, 403]);

    const off = { permissions: { 'tabs:read': 'off' }, mayAsk: false };
    expect((await browser.send('PATCH', `/svc/me/connections/${connection?.id}`, off)).status).toBe(
      200,
    );
    expect([await call(wide), await call(narrow)]).toEqual([403, 403]);
  });

  it('makes one account for a subject, with its name, else with the name of the issuer', async () => {
    const { access_token: first } = await given(managed.assertion(subject, { name: 'Ann Lee' }));
    const { access_token: second } = await given(managed.assertion(subject, { name: 'Eve' }));
    const ann = await accountOf(first);
    expect(ann.displayName).toBe('Ann Lee');
    expect(await accountOf(second)).toEqual(ann);
    const other = await given(managed.assertion('0123456789abc'));
    expect((await accountOf(other.access_token)).displayName).toBe('Acme 01234567');
  });

  it('makes one account, and one grant, for parallel assertions of one subject', async () => {
    const assertions = await Promise.all(
      Array.from({ length: 8 }, () => managed.assertion(subject)),
    );
    const answers = await Promise.all(assertions.map((one) => managed.present(one)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const tokens = answers.map((answer) => answer.json<TokenResponse>().access_token);
    const ids = new Set((await Promise.all(tokens.map(accountOf))).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect(await appsOf([...ids][0] ?? '')).toHaveLength(1);
  });

  it('takes each assertion once, also of parallel ones on two replicas', async () => {
    const replica = await startGatehouse(
      { TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile },
      managed.gatehouse,
    );
    try {
      const elsewhere = client().at(replica);
      const { secret = '' } = managed.client;
      for (let round = 0; round < 5; round += 1) {
        const assertion = await managed.assertion(randomUUID());
        const params = { grant_type: JWT_BEARER, assertion, client_secret: secret };
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) => (n % 2 ? elsewhere : client()).token(params)),
        );
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused.map((answer) => [answer.status, errorOf(answer)])).toEqual(
          Array(7).fill([400, USED]),
        );
      }
    } finally {
      await replica.stop();
    }
  });

  it('takes them for linked accounts only where the issuer is for those', async () => {
    const { id } = await signUp();
    const early = await ofLinked();
    expect(errorOf(await managed.present(early))).toEqual(NO_ACCESS);
    expect(await link(id)).toBe(`Linked: ${subject} at ${managed.idp.issuer('globex')}.\n`);
    // What was refused was not used up.
    const { access_token: token } = (await managed.present(early)).json<TokenResponse>();
    expect((await accountOf(token)).id).toBe(id);
    const issuer = managed.idp.issuer('globex');
    await admin.text('users', 'unlink', id, '--issuer', issuer, '--subject', subject, '--yes');
    expect(errorOf(await managed.present(await ofLinked()))).toEqual(NO_ACCESS);
    // It ends by its own time, or with the grant.
    expect((await client().mcp(token)).status).toBe(200);
  });

  it('gives no token where the subject is unlinked meanwhile', async () => {
    const { id } = await signUp();
    await link(id);
    const issuer = managed.idp.issuer('globex');
    const about = ['--issuer', issuer, '--subject', subject, '--yes'];
    beforeNextTransaction(managed.gatehouse, () => admin.text('users', 'unlink', id, ...about));
    expect(errorOf(await managed.present(await ofLinked()))).toEqual(NO_ACCESS);
    expect(await appsOf(id)).toEqual([]);
  });

  it('refuses a disabled account in the same words, and takes the assertion when it is enabled', async () => {
    const { id } = await signUp();
    await link(id);
    await admin.text('users', 'disable', id, '--yes');
    const assertion = await ofLinked();
    expect(errorOf(await managed.present(assertion))).toEqual(NO_ACCESS);
    expect(managed.events.at(-1)).toMatchObject({
      type: 'managed-access-refused',
      userId: id,
      detail: expect.stringMatching(/^invalid_grant: Globex: this account is disabled/),
    });
    await admin.text('users', 'enable', id);
    expect((await managed.present(assertion)).status).toBe(200);
  });

  it('a client with a blocked redirect host gets no token, and its tokens count when it is unblocked', async () => {
    const { access_token: token } = await given(managed.assertion(subject));
    await admin.text('clients', 'block', '--redirect-host', '127.0.0.1', '--yes');
    const assertion = await managed.assertion(subject);
    try {
      expect((await client().mcp(token)).status).toBe(401);
      const refused = await managed.present(assertion);
      expect([refused.status, refused.json()['error']]).toEqual([400, 'unauthorized_client']);
    } finally {
      await admin.text('clients', 'unblock', '--redirect-host', '127.0.0.1');
    }
    expect((await client().mcp(token)).status).toBe(200);
    // What was refused was not used up.
    expect((await managed.present(assertion)).status).toBe(200);
  });

  it('makes no account again for an assertion whose account was deleted', async () => {
    const assertion = await managed.assertion(subject);
    const { access_token: token } = (await managed.present(assertion)).json<TokenResponse>();
    const { id } = await accountOf(token);
    await admin.text('users', 'delete', id, '--yes');
    const before = (await admin.json<Page<unknown>>('users', 'list', '--limit', '1000')).items;
    expect(errorOf(await managed.present(assertion))).toEqual(USED);
    const after = (await admin.json<Page<unknown>>('users', 'list', '--limit', '1000')).items;
    expect(after).toEqual(before);
  });

  it('does not ask SIGN_UP', async () => {
    const closed = await startGatehouse(
      { TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile, SIGN_UP: 'closed' },
      managed.gatehouse,
    );
    try {
      const { secret = '' } = managed.client;
      const assertion = await managed.assertion(subject);
      const params = { grant_type: JWT_BEARER, assertion, client_secret: secret };
      expect((await client().at(closed).token(params)).status).toBe(200);
    } finally {
      await closed.stop();
    }
  });

  it('asks the AccountPolicy about new people, and keeps its reason out of the answer', async () => {
    const replacements = { accounts: [{ provide: AccountPolicy, useClass: NamePolicy }] };
    const strict = await startGatehouse(
      { TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile },
      managed.gatehouse,
      [{ replacements }],
    );
    try {
      const details: unknown[] = [];
      const events = strict.app.get(SecurityEventsService, { strict: false });
      events.listen(({ type, detail }) => details.push([type, detail]));
      const present = (assertion: string) =>
        client()
          .at(strict)
          .token({
            grant_type: JWT_BEARER,
            assertion,
            client_secret: managed.client.secret ?? '',
          });
      const assertion = await managed.assertion(subject, { name: 'Mallory' });
      const refused = await present(assertion);
      expect([refused.status, ...errorOf(refused)]).toEqual([400, ...NO_ACCESS]);
      expect(details).toEqual([
        ['managed-access-refused', `invalid_grant: Acme: no account for ${subject}`],
      ]);
      // It is not asked about people who have an account.
      expect((await managed.present(assertion)).status).toBe(200);
      const again = await present(await managed.assertion(subject, { name: 'Mallory' }));
      expect(again.status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  it('gives the scopes that assertion, form and file have in common', async () => {
    const scopes = async (claims: object, params?: Record<string, string>) =>
      (await given(managed.assertion(subject, { ...claims }), params)).scope;
    expect(await scopes({})).toBe('account:read tabs:read');
    expect(await scopes({ scope: 'tabs:read code:run' })).toBe('tabs:read');
    expect(await scopes({}, { scope: 'account:read code:run' })).toBe('account:read');
    const neither = await managed.assertion(subject, { scope: 'tabs:read' });
    const answer = await managed.present(neither, { scope: 'account:read' });
    const none = 'no scope is left that assertion, request and this service all allow';
    expect([answer.status, ...errorOf(answer)]).toEqual([400, 'invalid_scope', none]);
    expect((await managed.present(neither)).status).toBe(200);
    const beyond = await managed.assertion(subject, { scope: 'code:run' });
    expect(errorOf(await managed.present(beyond))).toEqual(['invalid_scope', none]);
  });

  it('shows the grant among the connected apps, whose record has its seven members', async () => {
    const { browser, id } = await signUp();
    await link(id);
    await given(ofLinked());
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: object[] }>();
    expect(apps).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        app: 'Managed App',
        redirectHost: null,
        published: null,
        scope: ['account:read'],
        createdAt: expect.any(Number),
        expiresAt: expect.any(Number),
      },
    ]);
    expect(await appsOf(id)).toEqual([
      expect.objectContaining({ app: 'Managed App', managedBy: 'Globex' }),
    ]);
    const [{ id: grant = '' } = {}] = apps as { id?: string }[];
    const managedApps = await browser.get('/svc/me/managed-apps');
    expect(managedApps.json()).toEqual({ apps: [{ id: grant, managedBy: 'Globex' }] });
    expect((await browser.post('/svc/me/managed-apps')).status).toBe(405);
    const stranger = await new Browser(managed.gatehouse).get('/svc/me/managed-apps');
    expect([stranger.status, stranger.json()]).toEqual([401, { error: expect.any(String) }]);
    const table = await admin.text('apps', 'list', '--user', id);
    expect(table).toMatch(/ MANAGED BY\n.+ Globex\n$/);
  });

  it('ends its tokens with the grant; the issuer decides about new ones', async () => {
    const { browser, id } = await signUp();
    await link(id);
    const { access_token: first } = await given(ofLinked());
    const { access_token: second } = await given(ofLinked());
    const [app, ...others] = await appsOf(id);
    expect(others).toEqual([]);
    await browser.agent.delete(`/svc/me/apps/${app?.id}`).expect(204);
    for (const token of [first, second]) expect((await client().mcp(token)).status).toBe(401);
    const { access_token: third } = await given(ofLinked());
    expect((await client().mcp(third)).status).toBe(200);
    const [again] = await appsOf(id);
    expect(again?.id).not.toBe(app?.id);
  });

  it('leaves the grant alone that the person consented to, which leaves the managed one alone', async () => {
    const { browser, id } = await signUp();
    await link(id);
    const consented = OAuthClient.published(
      managed.gatehouse,
      managed.client.id,
      managed.client.redirectUri,
    );
    const secret = { client_secret: managed.client.secret ?? '' };
    const connect = async () => {
      const code = await consented.authorize(browser);
      return (await consented.exchange(code, secret)).json<TokenResponse>();
    };
    const { access_token: own } = await connect();
    const { access_token: company } = await given(ofLinked());
    expect((await client().mcp(own)).status).toBe(200);
    await connect();
    expect((await client().mcp(own)).status).toBe(401);
    expect((await client().mcp(company)).status).toBe(200);
    expect((await appsOf(id)).map(({ managedBy }) => managedBy ?? null).toSorted()).toEqual([
      'Globex',
      null,
    ]);
  });

  it('tells what happened: an account and a grant that began, and its further tokens', async () => {
    const { access_token: token } = await given(managed.assertion(subject));
    await given(managed.assertion(subject));
    const { id } = await accountOf(token);
    const [app] = await appsOf(id);
    const about = {
      userId: id,
      clientId: managed.client.id,
      app: 'Managed App',
      grantId: app?.id,
      origin: managed.gatehouse.origin,
    };
    expect(managed.events.filter(({ userId }) => userId === id)).toEqual([
      expect.objectContaining({ type: 'sign-up', detail: `by ${managed.idp.issuer('acme')}` }),
      { type: 'managed-access-granted', ...about },
      { type: 'token-refreshed', ...about },
      expect.objectContaining({ type: 'tool-called' }),
    ]);
  });
});
