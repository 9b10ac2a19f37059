import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse } from '../support/gatehouse.js';
import { type IssuedMachine, MACHINES } from '../support/machine-client.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  readonly components: { readonly schemas: Record<string, { additionalProperties?: false }> };
}

const OPERATIONS = [
  'listUsers',
  'showUser',
  'exportUser',
  'deleteUser',
  'disableUser',
  'enableUser',
  'signOutUser',
  'recoverUser',
  'listIdentities',
  'linkUser',
  'unlinkUser',
  'listClients',
  'createClient',
  'createMachineClient',
  'showClient',
  'deleteClient',
  'rotateClientSecret',
  'blockClient',
  'unblockClient',
  'blockRedirectHost',
  'listRedirectHosts',
  'unblockRedirectHost',
  'listApps',
  'showApp',
  'setApp',
  'listCalls',
  'revokeApp',
  'revokeRecovery',
  'listInvites',
  'createInvite',
  'deleteInvite',
  'showBudget',
  'setBudget',
  'resetBudget',
  'showMachineBudget',
  'setMachineBudget',
  'resetMachineBudget',
  'listEvents',
  'listUsage',
  'listOutbox',
  'showOutboxEvent',
  'retryOutboxEvent',
  'retryOutbox',
  'dropOutboxEvent',
  'showReplica',
  'describe',
];

interface Page {
  readonly items: Record<string, unknown>[];
  readonly next: string | null;
}

/** Nothing listens at this address, so events wait. */
const HELD_EVENTS = {
  EVENTS_WEBHOOK_URL: 'http://127.0.0.1:9/events',
  EVENTS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
};
const REDIRECT = 'https://app.example/callback';

/** RFC 6901, in a fragment. */
const pointerPart = (part: unknown) =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));

describe('operations of administration over HTTP (contract: Administration)', () => {
  let gatehouse: Gatehouse;
  let api: AdminApi;
  let document: Document;
  let browser: Browser;
  let id: string;
  const done = new Set<string>();
  const ajv = new Ajv2020({ strict: false });

  /** Sends a request, and validates the answer against the document. */
  async function ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown) {
    const [pathname = ''] = path.split('?');
    const found = Object.entries(document.paths).find(([pattern, methods]) => {
      const expression = pattern.replace('/admin/', '').replaceAll(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${expression}$`).test(pathname) && methods[method.toLowerCase()];
    });
    const described = found?.[1][method.toLowerCase()];
    if (!described) throw new Error(`${method} ${path} is not described`);
    const answer = await api.send(method, path, body);
    expect([method, path, Object.keys(described.responses)]).toEqual([
      method,
      path,
      expect.arrayContaining([String(answer.status)]),
    ]);
    const place = [found[0], method.toLowerCase(), 'responses', answer.status, 'content'];
    const pointer = [...place, 'application/json'].map(pointerPart).join('/');
    const schema = { $ref: `admin#/paths/${pointer}/schema` };
    expect([answer.json(), ajv.validate(schema, answer.json()), ajv.errors]).toEqual([
      answer.json(),
      true,
      null,
    ]);
    done.add(described.operationId);
    return { status: answer.status, body: answer.json<T>() };
  }

  const expectDone = (type: string) =>
    eventually(async () => {
      const { items } = await api.json<Page>('GET', `audit?type=${type}&limit=1`);
      expect([type, items]).toEqual([type, [expect.objectContaining({ actor: 'admin-api' })]]);
    });

  beforeAll(async () => {
    formats.default(ajv);
    gatehouse = await startAdministered({ ...HELD_EVENTS, ...MACHINES });
    api = new AdminApi(gatehouse);
    document = await api.json<Document>('GET', 'openapi.json');
    // An answer has exactly the described members.
    for (const schema of Object.values(document.components.schemas)) {
      schema.additionalProperties = false;
    }
    ajv.addSchema(document, 'admin');
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });
  afterAll(async () => {
    await gatehouse.stop();
    expect([...done].toSorted()).toEqual(OPERATIONS.toSorted());
  });

  it('are described by a document that is valid, and by no other words', async () => {
    const validation = await new Validator().validate({ ...document });
    expect(validation).toEqual({ valid: true });
    expect(document).toMatchObject({ openapi: '3.1.0', security: [{ adminToken: [] }] });
    const described = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(described.toSorted()).toEqual(OPERATIONS.toSorted());
    await ask('GET', 'openapi.json');
  });

  it('take no parameter that is not described', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        const place = path.replace('/admin/', '').replaceAll(/\{\w+\}/g, 'no-such-id');
        const answer = await api.send(method.toUpperCase(), `${place}?dry-run=true`);
        expect([method, path, answer.status]).toEqual([method, path, 400]);
      }
    }
  });

  it('accounts: listed, shown, exported, signed out, disabled, enabled, recovered, deleted', async () => {
    const { body: page } = await ask<Page>('GET', 'users?limit=1');
    expect(page.items).toEqual([expect.objectContaining({ id, displayName: 'Ann' })]);
    const { body: found } = await ask<Page>('GET', `users?search=${id}`);
    expect(found).toMatchObject({ items: [{ id }], next: null });
    expect((await ask('GET', `users/${id}`)).body).toMatchObject({ sessions: 1 });
    expect((await ask('GET', `users/${id}/export`)).body).toMatchObject({ profile: { id } });
    expect((await ask('POST', `users/${id}/sign-out`)).body).toEqual({ id, endedSessions: 1 });
    await ask('POST', `users/${id}/disable`);
    expect(await ask('POST', `users/${id}/recover`)).toMatchObject({ status: 409 });
    expect((await ask('POST', `users/${id}/enable`)).body).toMatchObject({ disabledAt: null });
    const { body: recovery } = await ask('POST', `users/${id}/recover`, {
      origin: 'https://gate.example',
    });
    expect(recovery['link']).toMatch(/^https:\/\/gate\.example\/svc\/account\/recover#\w{32}$/);
    const revoke = () => ask('DELETE', `users/${id}/recover`);
    expect((await revoke()).body).toEqual({ user: id, revoked: true });
    expect((await revoke()).body).toEqual({ user: id, revoked: false });

    const identity = { issuer: 'https://idp.example/acme', subject: '00u1' };
    const link = () => ask('POST', `users/${id}/link`, identity);
    expect((await link()).body).toEqual({ user: id, ...identity, linked: true });
    await expectDone('identity-linked');
    expect((await link()).status).toBe(409);
    const { body: linked } = await ask<Page>('GET', `users/${id}/identities`);
    expect(linked).toEqual({ items: [{ ...identity, createdAt: expect.any(String) }], next: null });
    const unlink = () => ask('POST', `users/${id}/unlink`, identity);
    expect((await unlink()).body).toEqual({ user: id, ...identity, linked: false });
    await expectDone('identity-unlinked');
    expect((await unlink()).status).toBe(404);
    const faulty = await ask('POST', `users/${id}/link`, { issuer: 'a\nb', subject: 'x' });
    expect(faulty.status).toBe(400);

    await ask('DELETE', `users/${id}`);
    expect((await ask('GET', `users/${id}`)).status).toBe(404);
    expect((await link()).status).toBe(404);
    expect((await ask('GET', `users/${id}/identities`)).status).toBe(404);
    for (const type of ['user-signed-out', 'user-disabled', 'user-enabled', 'account-deleted']) {
      await expectDone(type);
    }
    await expectDone('recovery-link-created');
    await expectDone('recovery-link-revoked');
  });

  it('clients: made, listed, shown, given another secret, kept out, let in, deleted', async () => {
    const made = await ask('POST', 'clients', {
      name: 'Robot',
      redirectUris: [REDIRECT],
      auth: 'client_secret_post',
    });
    expect(made.status).toBe(201);
    const client = String(made.body['id']);
    const { body: rotated } = await ask('POST', `clients/${client}/rotate-secret`);
    expect(rotated['secret']).not.toBe(made.body['secret']);
    await ask('POST', `clients/${client}/block`);
    expect((await ask('GET', `clients/${client}`)).body).toMatchObject({ blocked: true });
    await ask('POST', `clients/${client}/unblock`);
    await ask('POST', 'redirect-hosts/APP.example/block');
    const { body: hosts } = await ask<Page>('GET', 'redirect-hosts');
    expect(hosts.items).toEqual([expect.objectContaining({ redirectHost: 'app.example' })]);
    await ask('POST', 'redirect-hosts/app.example/unblock');
    const { body: listed } = await ask<Page>('GET', 'clients');
    expect(listed.items).toContainEqual(expect.objectContaining({ id: client, name: 'Robot' }));
    const open = await ask('POST', 'clients', { name: 'Open', redirectUris: [REDIRECT] });
    const again = await ask('POST', `clients/${String(open.body['id'])}/rotate-secret`);
    expect(again.status).toBe(409);
    expect((await ask('DELETE', `clients/${client}`)).body).toEqual({ id: client, endedApps: 0 });
    await expectDone('client-deleted');
  });

  it('a client whose id is an address is named encoded', async () => {
    const client = encodeURIComponent('https://app.example/client.json');
    expect((await ask('POST', `clients/${client}/block`)).body).toEqual({
      client: 'https://app.example/client.json',
      blocked: true,
    });
    expect((await ask('POST', `clients/${client}/unblock`)).status).toBe(200);
    expect((await ask('POST', `clients/${client}/unblock`)).status).toBe(404);
  });

  it('apps: listed, shown, narrowed, with their calls, disconnected', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser);
    const { body: apps } = await ask<Page>('GET', `apps?user=${id}`);
    expect(apps.items).toEqual([expect.objectContaining({ client: client.id })]);
    const app = `apps/${String(apps.items[0]?.['id'])}`;
    const { body: shown } = await ask('GET', app);
    expect(shown).toMatchObject({ user: id, client: client.id, paused: false });
    const change = { paused: true, dailyCredits: 5, endsAt: '7d', mayAsk: false };
    const { body: narrowed } = await ask('PATCH', app, change);
    expect(narrowed).toMatchObject({ pausedBy: 'administrator', dailyCredits: 5, mayAsk: false });
    expect((await ask('PATCH', app, { mayAsk: true })).status).toBe(400);
    await expectDone('connection-changed');
    expect((await ask('PATCH', app, { paused: false })).body).toMatchObject({ pausedBy: null });
    await client.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    await eventually(async () => {
      const { body: calls } = await ask<Page>('GET', `${app}/calls?limit=1`);
      expect(calls).toMatchObject({ items: [{ name: 'account_status' }], next: null });
    });
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', `${app}/revoke`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
    expect((await client.mcp(token)).status).toBe(401);
  });

  it('invites: made, listed, deleted', async () => {
    const made = await ask('POST', 'invites', { uses: 3, expires: '24h' });
    expect([made.status, made.body['uses']]).toEqual([201, 3]);
    const { body: invites } = await ask<Page>('GET', 'invites');
    const invite = String(made.body['id']);
    expect(invites.items).toEqual([
      expect.objectContaining({ id: invite, usesLeft: 3, createdBy: 'admin-api' }),
    ]);
    expect(JSON.stringify(invites)).not.toContain(made.body['code']);
    await ask('DELETE', `invites/${invite}`);
    expect((await ask<Page>('GET', 'invites')).body.items).toEqual([]);
  });

  it('budgets: shown, set, reset', async () => {
    await ask('PUT', `budgets/${id}`, { credits: 5 });
    expect((await browser.me()).budget).toMatchObject({ limit: 5 });
    await ask('PUT', `budgets/${id}`, { credits: 'default' });
    expect((await ask('GET', `budgets/${id}`)).body).toMatchObject({ limit: 1000, ownLimit: null });
    expect((await ask('POST', `budgets/${id}/reset`)).body).toMatchObject({ used: 0 });
  });

  it('machine clients: made, given a budget', async () => {
    const robot = { name: 'Robot', scopes: ['code:run'] };
    const { status, body: issued } = await ask<IssuedMachine>('POST', 'machine-clients', robot);
    expect(status).toBe(201);
    const { body: shown } = await ask('GET', `clients/${issued.clientId}`);
    expect(shown).toMatchObject({ kind: 'machine', scopes: ['code:run'] });
    const budget = `clients/${issued.clientId}/budget`;
    await ask('PUT', budget, { credits: 5 });
    expect((await ask('GET', budget)).body).toMatchObject({ limit: 5, ownLimit: 5 });
    expect((await ask('POST', `${budget}/reset`)).body).toMatchObject({ used: 0 });
    await eventually(async () => {
      const { items } = await api.json<Page>('GET', `audit?client=${issued.clientId}`);
      const types = ['budget-reset', 'budget-set', 'client-created'];
      expect(items.map(({ type }) => type)).toEqual(types);
    });
  });

  it('replica: shown', async () => {
    const { body } = await ask('GET', 'replica');
    expect(body['variables']).toEqual(expect.arrayContaining(['ADMIN_TOKEN', 'MANAGEMENT_PORT']));
  });

  it('events: listed, shown, retried, deleted', async () => {
    await browser.post('/svc/auth/logout');
    const first = await eventually(async () => {
      const { body: waiting } = await ask<Page>('GET', 'events?state=waiting');
      const mine = waiting.items.filter(({ user }) => user === id);
      expect(mine.map(({ type }) => type)).toEqual(['sign-out', 'sign-up']);
      return String(mine[1]?.['id']);
    });
    expect((await ask<Page>('GET', 'events?state=dead')).body.items).toEqual([]);
    const { body: shown } = await ask('GET', `events/${first}`);
    expect(JSON.parse(String(shown['body']))).toMatchObject({ data: { user: id } });
    expect((await ask('POST', `events/${first}/retry`)).body).toEqual({ id: first });
    expect((await ask('POST', 'events/retry')).body).toEqual({ dead: 0 });
    await ask('DELETE', `events/${first}`);
    expect((await ask('DELETE', `events/${first}`)).status).toBe(404);
    for (const type of ['event-retried', 'event-dropped']) await expectDone(type);
  });

  it('lists go on where they ended', async () => {
    for (const name of ['Bob', 'Cid']) await new Browser(gatehouse).signUp(name);
    const { body: first } = await ask<Page>('GET', 'users?limit=2');
    const { body: second } = await ask<Page>('GET', `users?limit=1&after=${first.next}`);
    expect(second.items).toEqual([expect.objectContaining({ id })]);
    await eventually(async () => {
      expect((await ask<Page>('GET', `usage?user=${id}`)).body).toEqual({ items: [], next: null });
      const { body: events } = await ask<Page>('GET', `audit?user=${id}&since=1h`);
      expect(events.items).toEqual([expect.objectContaining({ type: 'sign-up', user: id })]);
    });
  });
});
