import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { ADMIN_TOKEN, AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { askManagement } from '../support/management.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';

interface Page {
  readonly items: readonly { readonly type: string; readonly actor: string | null }[];
}

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

/** The operations of each role, on an unknown id: 404 means that the role is allowed to perform the operation. */
const READ = [
  'GET users',
  'GET users/no-such-id',
  'HEAD users',
  'GET apps/no-such-id',
  'GET apps/no-such-id/calls',
  'GET audit',
  'GET openapi.json',
];
const SUPPORT = [
  'POST users/no-such-id/sign-out',
  'POST users/no-such-id/disable',
  'POST users/no-such-id/enable',
  'POST users/no-such-id/recover',
  'DELETE users/no-such-id/recover',
  'DELETE invites/no-such-id',
];
const ADMIN = [
  'GET users/no-such-id/export',
  'DELETE users/no-such-id',
  'DELETE clients/no-such-id',
  'POST clients/no-such-id/rotate-secret',
  'POST clients/no-such-id/block',
  'POST clients/no-such-id/unblock',
  'POST redirect-hosts/unknown.example/unblock',
  'PATCH apps/no-such-id',
  'POST apps/no-such-id/revoke',
  'POST budgets/no-such-id/reset',
  'POST events/no-such-id/retry',
  'DELETE events/no-such-id',
];
const UNKNOWN = ['GET x', 'POST x', 'PATCH users', 'PUT apps/no-such-id'];

describe('named tokens of administration (contract: Administration)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tokens-'));
  const file = join(folder, 'tokens.json');
  let gatehouse: Gatehouse;
  let api: AdminApi;

  const write = (entries: unknown) =>
    writeFileSync(file, typeof entries === 'string' ? entries : JSON.stringify(entries));
  const ask = (token: string, operation: string, body?: unknown) => {
    const [method = '', path = ''] = operation.split(' ');
    return api.send(method, path, body, { authorization: `Bearer ${token}` });
  };
  const statusOf = async (token: string) => (await ask(token, 'GET replica')).status;

  beforeAll(async () => {
    beginRounds('intervals');
    write([
      { name: 'dashboard', role: 'read', sha256: [sha256('reader')] },
      { name: 'help desk', role: 'support', sha256: [sha256('helper'), sha256('next-helper')] },
      { name: 'deploy', role: 'admin', sha256: [sha256('deployer')] },
    ]);
    gatehouse = await startAdministered({ ADMIN_TOKENS_FILE: file });
    api = new AdminApi(gatehouse);
  });
  afterAll(async () => {
    await gatehouse.stop();
    endRounds();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['reader', READ, [...SUPPORT, ...ADMIN]],
    ['helper', [...READ, ...SUPPORT], ADMIN],
    ['next-helper', [...READ, ...SUPPORT], ADMIN],
    ['deployer', [...READ, ...SUPPORT, ...ADMIN], []],
    [ADMIN_TOKEN, [...READ, ...SUPPORT, ...ADMIN], []],
  ])('%s may do what its role has, and the rest is 403', async (token, may, mayNot) => {
    for (const operation of may) {
      expect([operation, [200, 404]]).toEqual([
        operation,
        expect.arrayContaining([(await ask(token, operation)).status]),
      ]);
    }
    for (const operation of mayNot) {
      const answer = await ask(token, operation);
      expect([operation, answer.status]).toEqual([operation, 403]);
      expect(answer.json()).toEqual({ error: expect.stringContaining('role') });
    }
    for (const operation of UNKNOWN) {
      expect([404, 405]).toContain((await ask(token, operation)).status);
    }
  });

  it('403 | before the body is looked at, and nothing is changed', async () => {
    const client = { name: 'Robot', redirectUris: ['https://app.example/'] };
    for (const body of [client, '{']) {
      expect((await ask('helper', 'POST clients', body)).status).toBe(403);
    }
    expect((await api.get('clients')).json()).toMatchObject({ items: [] });
  });

  it('the name is the actor of what is done, and who made an invite', async () => {
    const browser = new Browser(gatehouse);
    const { user } = (await browser.signUp()).json<{ user: { id: string } }>();
    await ask('helper', `POST users/${user.id}/sign-out`);
    await ask('deployer', `PUT budgets/${user.id}`, { credits: 5 });
    await api.post(`budgets/${user.id}/reset`);
    expect((await ask('helper', 'POST invites', {})).status).toBe(201);
    expect((await api.get('invites')).json()).toMatchObject({
      items: [{ createdBy: 'help desk' }],
    });
    await eventually(async () => {
      const { items } = await api.json<Page>('GET', `audit?user=${user.id}`);
      expect(items.map(({ type, actor }) => [type, actor])).toEqual([
        ['budget-reset', 'admin-api'],
        ['budget-set', 'deploy'],
        ['user-signed-out', 'help desk'],
        ['sign-up', null],
      ]);
    });
  });

  it('each request is counted by its route, and a wrong token as one that was refused', async () => {
    const samples = async () => parseMetrics((await askManagement(gatehouse, '/metrics')).text);
    const counts = async () => {
      const found = await samples();
      const count = (labels: Record<string, string>) =>
        valueOf(found, 'gatehouse_admin_request_duration_seconds_count', labels);
      return [
        count({ method: 'GET', route: '/admin/users/:id', status: '404' }),
        count({ method: 'GET', route: '/admin/users/:id', status: '401' }),
        count({ method: 'GET', route: 'none', status: '404' }),
        valueOf(found, 'gatehouse_security_events_total', { type: 'admin-token-refused' }),
      ];
    };
    const before = await counts();
    await ask('reader', 'GET users/no-such-id');
    await ask('stranger', 'GET users/no-such-id');
    await ask('reader', 'GET made-up');
    await eventually(async () => {
      expect((await counts()).map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1, 1]);
    });
  });

  it('a file that changed counts within a minute; one that is not in order leaves the tokens as they are', async () => {
    write([{ name: 'help desk', role: 'read', sha256: [sha256('next-helper')] }]);
    await afterRounds(async () => expect(await statusOf('helper')).toBe(401));
    expect(await statusOf('next-helper')).toBe(200);
    expect((await ask('next-helper', 'POST users/no-such-id/enable')).status).toBe(403);
    expect(await statusOf(ADMIN_TOKEN)).toBe(200);

    for (const text of ['[', `${'['.repeat(5000)}${']'.repeat(5000)}`]) {
      write(text);
      await jest.advanceTimersByTimeAsync(61_000);
      expect(await statusOf('next-helper')).toBe(200);
    }

    write([{ name: 'help desk', role: 'read', sha256: [sha256('reader')] }]);
    await afterRounds(async () => expect(await statusOf('reader')).toBe(200));
    expect(await statusOf('next-helper')).toBe(401);
  });

  it.each([
    [401, 'its token', []],
    [403, 'its role', [{ name: 'help desk', role: 'read', sha256: [sha256('helper')] }]],
  ])('%s | %s is taken away while the body comes | nothing is done', async (status, _what, now) => {
    write([{ name: 'help desk', role: 'support', sha256: [sha256('helper')] }]);
    const mayChange = async () => (await ask('helper', 'POST users/no-such-id/enable')).status;
    await afterRounds(async () => expect(await mayChange()).toBe(404));
    const before = (await api.get('invites')).json<{ items: unknown[] }>().items.length;
    const { port } = api;
    const held = await holdBody(
      { port, origin: `http://127.0.0.1:${port}` },
      new Browser(gatehouse),
      '/admin/invites',
      { type: 'application/json', body: '{}', headers: { authorization: 'Bearer helper' } },
    );
    write(now);
    await afterRounds(async () => expect(await mayChange()).toBe(status));
    expect((await held.finish()).status).toBe(status);
    expect((await api.get('invites')).json<{ items: unknown[] }>().items).toHaveLength(before);
  });

  it('are enough without ADMIN_TOKEN, whose name is free then', async () => {
    write([{ name: 'admin-api', role: 'read', sha256: [sha256('reader')] }]);
    const other = await startGatehouse({ MANAGEMENT_PORT: '0', ADMIN_TOKENS_FILE: file });
    const here = new AdminApi(other);
    const send = (token: string) =>
      here.send('GET', 'users', undefined, { authorization: `Bearer ${token}` });
    expect([(await send('reader')).status, (await send(ADMIN_TOKEN)).status]).toEqual([200, 401]);
    await other.stop();
  });
});
