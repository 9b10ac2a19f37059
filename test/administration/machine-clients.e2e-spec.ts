import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ADMIN_TOKEN, AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { useGatehouse } from '../support/gatehouse.js';
import {
  createMachine,
  type IssuedMachine,
  MachineClient,
  MACHINES,
} from '../support/machine-client.js';

const MACHINE = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', 'code:run'];
const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PUBLIC = KEYS.publicKey.export({ format: 'jwk' });
const CLIENT_ID = expect.stringMatching(/^[\w-]{22}$/);

interface Page<T> {
  readonly items: T[];
}

describe('machine clients of administrators (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startAdministered(MACHINES));
  let admin: Admin;
  let api: AdminApi;
  let folder: string;

  const fileOf = async (name: string, content: unknown) => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
    admin = new Admin(gatehouse, [], MACHINES);
    api = new AdminApi(gatehouse);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are made by the test kit, with a token of their own', async () => {
    const machine = await createMachine(gatehouse, ['code:run'], { token: ADMIN_TOKEN });
    const params = { name: 'run_code', arguments: { code: '6 * 7' } };
    const answer = await machine.mcp(await machine.token(), 'tools/call', params);
    expect(answer.json()).toMatchObject({ result: { structuredContent: { value: 42 } } });
    const other = createMachine(gatehouse, ['code:run'], { token: `${ADMIN_TOKEN}0` });
    await expect(other).rejects.toThrow('401');
  });

  it('are made, listed and shown with their scopes, and deleted like others', async () => {
    const issued = await admin.json<IssuedMachine>(...MACHINE, 'account:read', 'code:run');
    const { clientId: id, clientSecret } = issued;
    expect(issued).toEqual({
      id,
      secret: clientSecret,
      clientId: CLIENT_ID,
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const uri = 'https://a.example/cb';
    const other = ['clients', 'create', '--name=App', `--redirect-uri=${uri}`];
    const confidential = await admin.json(...other, '--auth=client_secret_basic');
    expect(Object.keys(confidential as object)).toEqual(Object.keys(issued));
    const shown = {
      id,
      name: 'Robot',
      kind: 'machine',
      scopes: ['code:run', 'account:read'],
      redirectUris: [],
      auth: 'client_secret_basic',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      blocked: false,
      blockedHosts: [],
    };
    expect(await admin.json('clients', 'show', id)).toEqual({ ...shown, apps: 0 });
    const { items } = await api.json<Page<{ id: string }>>('GET', 'clients');
    expect(items.find((each) => each.id === id)).toEqual(shown);
    expect(JSON.stringify(items)).not.toContain(clientSecret);
    expect(await api.json('DELETE', `clients/${id}`)).toEqual({ id, endedApps: 0 });
    const args = ['audit', 'list', '--client', id];
    const events = await admin.json<Page<{ type: string; actor: string }>>(...args);
    expect(events.items.map(({ type }) => type)).toEqual(['client-deleted', 'client-created']);
  });

  it('may be made for /svc/mcp of an origin by its URL, as the metadata has it, and for that one alone', async () => {
    const url = `${gatehouse.origin}/svc/mcp`;
    const issued = await admin.json<IssuedMachine>(...MACHINE, '--resource', url);
    const answer = await MachineClient.with(gatehouse, issued).issue();
    expect([answer.status, answer.json()['resource']]).toEqual([200, url]);
    const elsewhere = { port: gatehouse.port, origin: `http://127.0.0.1:${gatehouse.port}` };
    const refused = await MachineClient.with(elsewhere, issued).issue();
    expect([refused.status, refused.json()['error']]).toEqual([400, 'invalid_target']);
    for (const other of ['https://evil.example/svc/mcp', `${url}/`, `${gatehouse.origin}/mcp`]) {
      const { code, stderr } = await admin.run(...MACHINE, '--resource', other);
      expect([other, code, stderr]).toEqual([
        other,
        1,
        expect.stringContaining('leave the resource'),
      ]);
    }
  });

  it('with keys have no secret', async () => {
    const jwks = await fileOf('keys.json', { keys: [PUBLIC] });
    for (const auth of [[], ['--auth', 'private_key_jwt']]) {
      const issued = await admin.json<IssuedMachine>(...MACHINE, '--jwks', jwks, ...auth);
      expect(issued).toEqual({ id: CLIENT_ID, secret: null, clientId: CLIENT_ID });
      const rotated = await admin.run('clients', 'rotate-secret', issued.clientId, '--yes');
      expect(rotated.stderr).toMatch(/^this client has no secret: /);
    }
    expect(await admin.text(...MACHINE, '--jwks', jwks)).toMatch(
      /^Client id: [\w-]{22}\. It uses its keys\.\n$/,
    );
    expect(await admin.text(...MACHINE)).toMatch(
      /^Client id: [\w-]{22}\. Secret, shown this once: [\w-]{43}\n$/,
    );
  });

  it.each<[string, object]>([
    ['no scope', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['code:walk'] }],
    ['no name', { scopes: ['code:run'] }],
    ['another method', { name: 'x', scopes: ['code:run'], auth: 'none' }],
    [
      'keys and a secret',
      { name: 'x', scopes: ['code:run'], auth: 'client_secret_basic', jwks: { keys: [PUBLIC] } },
    ],
    ['a method without its keys', { name: 'x', scopes: ['code:run'], auth: 'private_key_jwt' }],
    ['keys that are a text', { name: 'x', scopes: ['code:run'], jwks: 'keys' }],
    ['no keys among the keys', { name: 'x', scopes: ['code:run'], jwks: { keys: [] } }],
    ['another member', { name: 'x', scopes: ['code:run'], redirectUris: ['https://a.example'] }],
  ])('are not made over HTTP with %s', async (_what, body) => {
    const answer = await api.post('machine-clients', body);
    expect([answer.status, Object.keys(answer.json())]).toEqual([400, ['error']]);
  });

  it.each<[string, string[], string]>([
    ['no scope', ['clients', 'create', '--machine', '--name', 'x'], '--scope'],
    ['an unknown scope', [...MACHINE, 'code:walk'], 'a scope is not one of: account:read'],
    ['a redirect URI', [...MACHINE, '--redirect-uri', 'https://a.example'], '--redirect-uri'],
    ['another method', [...MACHINE, '--auth', 'client_secret_post'], 'Allowed choices'],
    ['a method without its keys', [...MACHINE, '--auth', 'private_key_jwt'], 'public keys'],
    ['keys that are not there', [...MACHINE, '--jwks', '/no/such/file'], 'cannot be read'],
    [
      'scopes, but no machine',
      [
        'clients',
        'create',
        '--name',
        'x',
        '--redirect-uri',
        'https://a.example',
        '--scope',
        'code:run',
      ],
      '--scope is taken with --machine only',
    ],
    ['a budget of no machine', ['budget', 'set', '--client', 'nothing', '5'], 'there is no client'],
    ['two budgets', ['budget', 'set', 'someone', '5', '--client', 'nothing'], 'either'],
    ['no budget', ['budget', 'reset', '--yes'], "missing required argument 'id'"],
  ])('are refused %s', async (_what, args, reason) => {
    const { code, stdout, stderr } = await admin.run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(reason);
  });

  it.each<[string, unknown, string]>([
    ['private', { keys: [KEYS.privateKey.export({ format: 'jwk' })] }, 'public keys only'],
    ['symmetric', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, 'public keys only'],
    ['no JSON', '{', 'without a JSON object'],
    ['nothing', '', 'empty'],
    ['a list', [PUBLIC], 'without a JSON object'],
  ])('are refused keys that are %s', async (_what, content, reason) => {
    const path = await fileOf('bad.json', content);
    const { code, stderr } = await admin.run(...MACHINE, '--jwks', path);
    expect([code, stderr.split('\n').length]).toEqual([1, 2]);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain(path);
  });

  it('a client that asks people has no budget of its own', async () => {
    const args = ['clients', 'create', '--name', 'App', '--redirect-uri', 'https://a.example/cb'];
    const { id } = await admin.json<{ id: string }>(...args);
    const { stderr } = await admin.run('budget', 'set', '--client', id, '5');
    expect(stderr).toBe('this client has no budget: it spends that of its users\n');
  });

  it('are not there over HTTP while they are off', async () => {
    const off = await startAdministered({}, gatehouse);
    try {
      const body = { name: 'Robot', scopes: ['code:run'] };
      const answer = await new AdminApi(off).post('machine-clients', body);
      expect(answer.status).toBe(404);
    } finally {
      await off.stop();
    }
  });

  it('and their budget: a limit that is set while the client is deleted goes with it', async () => {
    const { clientId } = await admin.json<IssuedMachine>(...MACHINE);
    const budget = `clients/${clientId}/budget`;
    await Promise.all([
      ...Array.from({ length: 8 }, () => api.send('PUT', budget, { credits: 3 })),
      api.send('DELETE', `clients/${clientId}`),
    ]);
    const rows = await gatehouse.app
      .get(DataSource)
      .query(`SELECT 1 FROM budget_limits WHERE user_id = 'client:${clientId}'`);
    expect(rows).toEqual([]);
  });
});
