import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { oneRequest } from '../mcp/asking.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { changeConnection } from '../support/connection.js';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { jsonFile } from '../support/json-file.js';
import { MachineClient, MACHINES } from '../support/machine-client.js';
import { startManagedAccess } from '../support/managed-access.js';
import { OAuthClient } from '../support/oauth-client.js';
import { basic, connectTo, type ListedResource, ResourceFiles } from '../support/resource-files.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';
import { TabClient } from '../support/tab-client.js';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean;
}
interface Response {
  readonly $ref?: string;
  readonly headers?: Record<string, { readonly $ref?: string; readonly required?: boolean }>;
  readonly content?: Record<string, { readonly schema: Schema }>;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses: Record<string, Response>;
}
interface Components {
  readonly responses: Record<string, Response>;
  readonly schemas: Record<string, Schema>;
}

const text = readFileSync(new URL('../../docs/reference/openapi.yaml', import.meta.url), 'utf8');
const document = parse(text) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Components;
};
const METHODS = ['get', 'post', 'patch', 'delete'];

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [{ path, method: method.toUpperCase(), ...operation }] : [];
  }),
);
const idsOf = (some: typeof operations) => some.map(({ operationId }) => operationId);
const withSession = operations.filter(({ security }) => security === undefined);
const ofVisitors = operations.filter(
  ({ path, responses }) => responses['429'] && !/^\/svc\/(?:me|mcp)/.test(path),
);
const ofChanges = operations.filter(
  ({ operationId, path, responses }) =>
    responses['429'] && path.startsWith('/svc/me') && operationId !== 'openTabHub',
);
const withLimitedBody = operations.filter(({ responses }) => responses['413']);

/** 32 calls would have to be under way at once. */
const NOT_PROVOKED = ['mcp 429'];

/** Some routes are there only with a trusted issuer. */
const ISSUER = {
  issuer: 'https://idp.example',
  name: 'Acme',
  clients: ['app'],
  scopes: ['account:read'],
  accounts: 'linked',
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };
const FOREIGN = { origin: 'https://evil.example' };
const FRESH_MS = 10 * 60_000;
const NOTES: ListedResource = {
  resource: 'https://notes.example/mcp',
  name: 'Notes',
  scopes: [{ name: 'notes:read', description: 'read your notes' }],
  tokens: 'jwt',
  introspection: { clientId: 'notes-server', secret: 'secret' },
};
const RESOURCE_SERVER = basic('notes-server', 'secret');

/** An answer has the described members and no others, unless its schema allows them. */
function close(schema: Schema): void {
  if (schema.properties) schema.additionalProperties ??= false;
  for (const part of [...Object.values(schema.properties ?? {}), schema.items]) {
    if (part) close(part);
  }
}

/** RFC 6901, in a fragment. */
const pointerTo = (...parts: string[]) =>
  parts
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');

describe('docs/reference/openapi.yaml', () => {
  let files: ResourceFiles;
  let settings: Readonly<Record<string, string>>;
  let gatehouse: Gatehouse;
  let browser: Browser;
  const ajv = new Ajv2020({ strict: false });
  const seen = new Set<string>();

  /** Holds an answer to the description of its operation. */
  function hold(operationId: string, answer: Answer): void {
    const { status, headers } = answer;
    const operation = operations.find((one) => one.operationId === operationId);
    const direct = operation?.responses[status];
    if (!operation || !direct) throw new Error(`${operationId} ${status}: ${answer.text}`);
    const component = direct.$ref?.split('/').at(-1);
    const { content, headers: named = {} } =
      (component === undefined ? direct : document.components.responses[component]) ?? {};
    const place =
      component === undefined
        ? ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status)]
        : ['components', 'responses', component];

    const [type = ''] = (headers['content-type'] ?? '').split(';');
    expect({ operationId, status, types: Object.keys(content ?? { '': null }) }).toEqual({
      operationId,
      status,
      types: expect.arrayContaining([type]),
    });
    if (type === 'application/json') {
      const schema = { $ref: `api#/${pointerTo(...place, 'content', type, 'schema')}` };
      const body = answer.json();
      const valid = ajv.validate(schema, body);
      expect({ operationId, status, body, valid, errors: ajv.errors }).toEqual({
        operationId,
        status,
        body,
        valid: true,
        errors: null,
      });
    }
    for (const name of Object.keys(named)) {
      if (name !== 'Passkey-Signal') expect(headers).toHaveProperty(name.toLowerCase());
    }
    seen.add(`${operationId} ${status}`);
  }

  /** Sends a request for an operation and holds the answer to its description. */
  async function ask(
    operationId: string,
    body?: string | object,
    { by = browser, headers = {}, id = 'unknown', query = '' } = {},
  ): Promise<Answer> {
    const operation = operations.find((one) => one.operationId === operationId);
    if (!operation) throw new Error(`${operationId} is not described`);
    const path = operation.path.replace('{id}', id) + query;
    const type = typeof body === 'object' ? JSON_BODY : {};
    const answer = await by.send(operation.method, path, body, { ...type, ...headers });
    hold(operationId, answer);
    return answer;
  }

  const expectStatus = async (status: number, answer: Promise<Answer>) =>
    expect((await answer).status).toBe(status);

  beforeAll(async () => {
    formats.default(ajv);
    for (const schema of Object.values(document.components.schemas)) close(schema);
    for (const { content } of [
      ...operations.flatMap(({ responses }) => Object.values(responses)),
      ...Object.values(document.components.responses),
    ]) {
      for (const { schema } of Object.values(content ?? {})) close(schema);
    }
    ajv.addSchema(document, 'api');
    files = await ResourceFiles.of(NOTES);
    settings = {
      ...files.variables,
      TRUSTED_ISSUERS_FILE: jsonFile([ISSUER]),
      TRUSTED_PROXIES: 'loopback',
      APPROVALS: 'passkey',
    };
    gatehouse = await startGatehouse(settings);
  });
  beforeEach(() => {
    browser = new Browser(gatehouse);
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await gatehouse.stop();
    files.remove();
    const described = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    expect(described.filter((one) => !seen.has(one))).toEqual(NOT_PROVOKED);
  });

  it('is an OpenAPI document', async () => {
    expect(await new Validator().validate(text)).toEqual({ valid: true });
    expect(new Set(idsOf(operations)).size).toBe(operations.length);
  });

  it.each(Object.entries(document.paths))('has the methods of %s', async (path, item) => {
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser);
    const bearer = { authorization: `Bearer ${token}` };
    const headers = path === '/svc/mcp' ? bearer : {};
    const answer = await browser.send('PUT', path.replace('{id}', 'some'), undefined, headers);
    const described = METHODS.filter((method) => item[method]).map((method) =>
      method.toUpperCase(),
    );
    const allowed = answer.headers.allow
      ?.split(', ')
      .filter((method) => !/HEAD|OPTIONS/.test(method));
    expect([answer.status, allowed?.toSorted()]).toEqual([405, described.toSorted()]);
  });

  it.each(idsOf(withSession))('%s: 401 without a session', async (operationId) => {
    await expectStatus(
      401,
      ask(operationId, operationId === 'answerConsent' ? 'a=b' : undefined, { headers: FORM }),
    );
  });

  it.each(idsOf(withLimitedBody))('%s: 413', async (operationId) => {
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser);
    const forms = ['answerAppPage', 'answerConsent', 'token', 'revoke', 'introspect'];
    const isForm = forms.includes(operationId);
    const limits: Record<string, number> = { mcp: 512 * 1024, registerClient: 56 * 1024 };
    const body = 'x'.repeat((limits[operationId] ?? 16_384) + 1);
    const bearer = { authorization: `Bearer ${token}` };
    const credentials = operationId === 'introspect' ? RESOURCE_SERVER : bearer;
    const headers = { ...(isForm ? FORM : JSON_BODY), ...credentials };
    const [passkey] = browser.authenticator.list('localhost');
    await expectStatus(413, ask(operationId, body, { headers, id: passkey?.id ?? '' }));
  });

  it('sign-in', async () => {
    await ask('me');
    await expectStatus(200, ask('registerOptions', { displayName: 'Ann' }));
    await expectStatus(400, ask('registerOptions', { displayName: '' }));
    await expectStatus(403, ask('registerOptions', { displayName: 'Ann' }, { headers: FOREIGN }));
    await expectStatus(400, ask('registerVerify', {}));
    await expectStatus(403, ask('registerVerify', {}, { headers: FOREIGN }));
    await expectStatus(200, ask('registerVerify', await browser.attest()));
    await ask('me');
    const [{ id: taken = '' } = {}] = browser.authenticator.list('localhost');
    const other = new Browser(gatehouse);
    const again = await other.attest({ overrides: { credentialId: taken } });
    await expectStatus(409, ask('registerVerify', again, { by: other }));

    await expectStatus(200, ask('loginOptions', {}));
    await expectStatus(400, ask('loginOptions', '[]', { headers: JSON_BODY }));
    await expectStatus(403, ask('loginOptions', {}, { headers: FOREIGN }));
    await expectStatus(400, ask('loginVerify', {}));
    await expectStatus(403, ask('loginVerify', {}, { headers: FOREIGN }));
    await expectStatus(200, ask('loginVerify', await browser.assert()));
    await expectStatus(403, ask('logout', undefined, { headers: FOREIGN }));
    await expectStatus(204, ask('logout'));
  });

  it('recovery', async () => {
    await browser.signUp();
    await expectStatus(200, ask('showRecoveryCodes'));
    await expectStatus(400, ask('makeRecoveryCodes', '[]', { headers: JSON_BODY }));
    const { codes } = (await ask('makeRecoveryCodes')).json<{ codes: string[] }>();
    await expectStatus(200, ask('showRecoveryCodes'));
    await expectStatus(403, ask('recover', {}, { headers: FOREIGN }));
    await expectStatus(400, ask('recover', { code: 'wrong' }));
    await expectStatus(200, ask('recover', { code: codes[0] }));
  });

  it("one's own account", async () => {
    await browser.signUp();
    await expectStatus(200, ask('rename', { displayName: 'Ann Example' }));
    await expectStatus(400, ask('rename', { displayName: '' }));
    await expectStatus(200, ask('listActivity'));
    await expectStatus(200, ask('exportAccount'));

    const [{ id = '' } = {}] = browser.authenticator.list('localhost');
    await expectStatus(200, ask('listPasskeys'));
    await expectStatus(200, ask('namePasskey', { name: 'Phone' }, { id }));
    await expectStatus(400, ask('namePasskey', { name: '' }, { id }));
    await expectStatus(404, ask('namePasskey', { name: 'Phone' }));
    await expectStatus(404, ask('deletePasskey'));
    await expectStatus(409, ask('deletePasskey', undefined, { id }));
    for (let count = 1; count < 20; count += 1) {
      const device = new Browser(gatehouse, new SoftAuthenticator());
      device.cookie = browser.cookie;
      expect((await device.addPasskey()).status).toBe(200);
    }
    await expectStatus(409, ask('registerOptions', {}));

    const other = new Browser(gatehouse, browser.authenticator);
    await other.signIn();
    const furtherSession = async () => {
      const { sessions } = (await ask('listSessions')).json<{
        sessions: { id: string; current: boolean }[];
      }>();
      return { id: sessions.find(({ current }) => !current)?.id ?? '' };
    };
    await expectStatus(204, ask('endSession', undefined, await furtherSession()));
    await expectStatus(404, ask('endSession'));
    await expectStatus(204, ask('endOtherSessions'));

    advanceClock(FRESH_MS + 1000);
    await other.signIn();
    await expectStatus(403, ask('endSession', undefined, await furtherSession()));
    await expectStatus(403, ask('endOtherSessions'));
    await expectStatus(403, ask('deletePasskey', undefined, { id }));
    await expectStatus(403, ask('makeRecoveryCodes'));
    await expectStatus(403, ask('exportAccount'));
    await expectStatus(403, ask('deleteAccount'));
    await browser.signIn();
    await expectStatus(204, ask('deletePasskey', undefined, { id }));
    await expectStatus(204, ask('deleteAccount'));
  });

  it('pages and the tab hub', async () => {
    await expectStatus(200, ask('accountPage'));
    await expectStatus(200, ask('recoveryPage'));
    for (const operationId of ['pageClient', 'pageBridge', 'pageClientDeclarations']) {
      const { headers } = await ask(operationId);
      const known = { 'if-none-match': headers.etag ?? '' };
      await expectStatus(304, ask(operationId, undefined, { headers: known }));
    }
    await browser.signUp();
    await expectStatus(426, ask('openTabHub'));
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    await expectStatus(400, ask('openTabHub', undefined, { headers: upgrade }));
    const tab = await TabClient.open(gatehouse, browser);
    seen.add('openTabHub 101');
    await tab.close();
    const knock = () => ask('openTabHub', undefined, { headers: upgrade });
    const statuses = (await Promise.all(Array.from({ length: 200 }, knock))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(429);
  });

  it('OAuth and connected apps', async () => {
    await browser.signUp();
    const metadata = { redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'none' };
    await expectStatus(201, ask('registerClient', metadata));
    await expectStatus(400, ask('registerClient', {}));

    const client = await OAuthClient.register(gatehouse);
    const query = (params = {}) => client.authorizePath(params).replace(/^[^?]+/, '');
    await expectStatus(200, ask('authorize', undefined, { query: query() }));
    const unsupported = query({ response_type: 'token' });
    await expectStatus(302, ask('authorize', undefined, { query: unsupported }));
    await expectStatus(400, ask('authorize'));
    const handle = await client.showConsent(browser);
    const consent = (fields: object) => new URLSearchParams({ ...fields }).toString();
    const approval = consent({ handle, decision: 'approve', scope: 'account:read' });
    await expectStatus(403, ask('answerConsent', approval, { headers: { ...FORM, ...FOREIGN } }));
    const { headers } = await ask('answerConsent', approval, { headers: FORM });
    await expectStatus(400, ask('answerConsent', approval, { headers: FORM }));

    const code = new URL(headers.location ?? '').searchParams.get('code') ?? '';
    const exchange = consent({
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      code_verifier: client.verifier,
      redirect_uri: client.redirectUri,
    });
    const tokens = (await ask('token', exchange, { headers: FORM })).json<{
      refresh_token: string;
    }>();
    await expectStatus(400, ask('token', exchange, { headers: FORM }));
    const unknown = consent({ token: 'x', client_id: 'unknown' });
    await expectStatus(401, ask('token', `${unknown}&grant_type=refresh_token`, { headers: FORM }));
    await expectStatus(401, ask('revoke', unknown, { headers: FORM }));
    const withoutToken = consent({ client_id: client.id });
    await expectStatus(400, ask('revoke', withoutToken, { headers: FORM }));
    const revocation = consent({ token: tokens.refresh_token, client_id: client.id });
    await expectStatus(200, ask('revoke', revocation, { headers: FORM }));
    await expectStatus(200, ask('token', revocation, { headers: FORM }));

    const { access_token: token } = await client.connect(browser);
    await client.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    const { apps } = (await ask('listApps')).json<{ apps: { id: string }[] }>();
    await expectStatus(200, ask('listManagedApps'));
    await expectStatus(200, ask('listConnections'));
    const id = apps[0]?.id ?? '';
    await expectStatus(200, ask('showConnection', undefined, { id }));
    await expectStatus(404, ask('showConnection'));
    await expectStatus(200, ask('changeConnection', { endsAt: null }, { id }));
    await expectStatus(400, ask('changeConnection', { endsAt: 1 }, { id }));
    await expectStatus(404, ask('changeConnection', {}));
    await expectStatus(404, ask('listCalls'));
    await expectStatus(200, ask('appPage', undefined, { id }));
    await expectStatus(404, ask('appPage'));
    const form = { id, headers: FORM };
    await expectStatus(302, ask('answerAppPage', 'act=pause', form));
    await expectStatus(302, ask('answerAppPage', 'act=resume', form));
    await expectStatus(400, ask('answerAppPage', '{}', { id, headers: JSON_BODY }));
    const stranger = new Browser(gatehouse);
    await expectStatus(401, ask('answerAppPage', 'act=pause', { ...form, by: stranger }));
    const foreign = { id, headers: { ...FORM, ...FOREIGN } };
    await expectStatus(403, ask('answerAppPage', 'act=pause', foreign));
    await expectStatus(404, ask('answerAppPage', 'act=pause', { headers: FORM }));
    advanceClock(FRESH_MS + 1000);
    const wider = { permissions: { 'code:run': 'allow' } };
    await expectStatus(403, ask('changeConnection', wider, { id }));
    await eventually(async () => {
      const answer = await ask('listCalls', undefined, { id });
      expect(answer.json<{ calls: object[] }>().calls).toHaveLength(1);
    });
    await expectStatus(204, ask('disconnectApp', undefined, { id: apps[0]?.id ?? '' }));
    await expectStatus(404, ask('disconnectApp'));
  });

  it('what resource servers ask', async () => {
    await browser.signUp();
    await expectStatus(200, ask('signingKeys'));
    const { access_token: token } = await connectTo(gatehouse, browser, NOTES);
    const headers = { ...FORM, ...RESOURCE_SERVER };
    await expectStatus(200, ask('introspect', `token=${token}`, { headers }));
    await expectStatus(200, ask('introspect', 'token=x', { headers }));
    await expectStatus(400, ask('introspect', 'x=y', { headers }));
    await expectStatus(401, ask('introspect', 'token=x', { headers: FORM }));
  });

  it('tokens without a consent, and who manages them', async () => {
    const managed = await startManagedAccess({ variables: MACHINES });
    try {
      const admin = new Admin(managed.gatehouse, [], MACHINES);
      const machine = await MachineClient.create(managed.gatehouse, admin);
      const ann = new Browser(managed.gatehouse);
      const { user } = (await ann.signUp()).json<{ user: { id: string } }>();
      const identity = ['--issuer', managed.idp.issuer('globex'), '--subject', 'ann'];
      await admin.text('users', 'link', user.id, ...identity);
      const assertion = await managed.assertion('ann', {}, {}, 'globex');
      for (const answer of [await machine.issue(), await managed.present(assertion)]) {
        expect(answer.status).toBe(200);
        hold('token', answer);
      }
      const answer = await ann.get('/svc/me/managed-apps');
      expect(answer.json()['apps']).toHaveLength(1);
      hold('listManagedApps', answer);
    } finally {
      await managed.stop();
    }
  });

  it('requests', async () => {
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['account:read']);
    const call = client.mcp(token, 'tools/call', { name: 'list_tabs', arguments: {} });
    const { id } = await oneRequest(browser);
    await expectStatus(200, ask('listRequests'));
    await expectStatus(200, ask('showRequest', undefined, { id }));
    await expectStatus(404, ask('showRequest'));
    await expectStatus(200, ask('requestOptions', undefined, { id }));
    await expectStatus(404, ask('requestOptions'));
    await expectStatus(400, ask('decideRequest', { decision: 'yes' }, { id }));
    await expectStatus(403, ask('decideRequest', { decision: 'once' }, { id }));
    await expectStatus(404, ask('decideRequest', { decision: 'no' }));
    await expectStatus(200, ask('decideRequest', { decision: 'no' }, { id }));
    await expectStatus(409, ask('decideRequest', { decision: 'no' }, { id }));
    await expectStatus(409, ask('requestOptions', undefined, { id }));
    expect((await call).text).toContain('said no');
  });

  it('MCP', async () => {
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['account:read']);
    await changeConnection(browser, { mayAsk: false });
    const headers = {
      ...JSON_BODY,
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const message = { jsonrpc: '2.0', id: 1 };
    const call = { ...message, method: 'tools/call', params: { name: 'list_tabs', arguments: {} } };
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await expectStatus(200, ask('mcp', { ...message, method: 'tools/list' }, { headers }));
    await expectStatus(202, ask('mcp', initialized, { headers }));
    await expectStatus(400, ask('mcp', '{', { headers }));
    await expectStatus(400, ask('mcp', call, { headers, query: '?access_token=x' }));
    await expectStatus(
      401,
      ask('mcp', call, { headers: { ...headers, authorization: 'Bearer x' } }),
    );
    await expectStatus(403, ask('mcp', call, { headers }));
    await expectStatus(415, ask('mcp', 'a=b', { headers: { ...headers, ...FORM } }));
  });

  describe('with room for one request', () => {
    const limited = useGatehouse(() => startGatehouse({ ...settings, RATE_LIMIT_MAX: '1' }));
    /** Headers of another visitor with each call. */
    const visitor = (() => {
      let count = 0;
      return () => ({ ...JSON_BODY, 'x-forwarded-for': `192.0.2.${(count += 1)}` });
    })();

    it.each(idsOf(ofVisitors))('%s: 429', async (operationId) => {
      const by = new Browser(limited);
      const headers = visitor();
      await by.send('POST', '/svc/auth/login/options', {}, headers);
      await expectStatus(429, ask(operationId, undefined, { by, headers }));
    });

    it.each(idsOf(ofChanges))('%s: 429', async (operationId) => {
      const by = new Browser(limited);
      const name = { displayName: 'Ann' };
      const options = await by.send('POST', '/svc/auth/register/options', name, visitor());
      const response = await by.authenticator.create(options.json(), limited.origin);
      await by.send('POST', '/svc/auth/register/verify', response, visitor());
      await by.send('PATCH', '/svc/me', name, JSON_BODY);
      await expectStatus(429, ask(operationId, undefined, { by }));
    });
  });
});
