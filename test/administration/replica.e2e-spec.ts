import { Module } from '@nestjs/common';
import type { Config } from '../../apps/server/src/config/config.js';
import { TabPresence } from '#libs/tab-hub';
import { ADMIN_TOKEN, AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { TabClient } from '../support/tab-client.js';

type Storage = NonNullable<typeof globalThis.STORAGE>;

interface Replica {
  readonly version: string;
  readonly variables: string[];
  readonly modules: string[];
  readonly adapters: Record<string, string>;
  readonly load: Record<string, unknown>;
  readonly memory: Record<string, number>;
  readonly database: Record<string, unknown>;
  readonly redis: Record<string, unknown> | null;
  readonly hub: { readonly tabs: number; readonly accounts: number; readonly busiest: object[] };
}

const DATABASES: Record<Storage, Config['database']['type']> = {
  embedded: 'sqlite',
  redis: 'sqlite',
  postgres: 'postgres',
};

/** Nest accepts any function as a token, even one without instances. */
const acmeClock = () => new Date();

@Module({ providers: [{ provide: acmeClock, useValue: { now: acmeClock } }] })
class AcmeModule {}

describe('a replica that is looked into (contract: Administration)', () => {
  const storage = globalThis.STORAGE ?? 'embedded';
  const isAlone = storage === 'embedded';
  let gatehouse: Gatehouse;
  let other: Gatehouse;

  const look = (at = gatehouse) => new AdminApi(at).json<Replica>('GET', 'replica');

  beforeAll(async () => {
    gatehouse = await startGatehouse(
      {
        MANAGEMENT_PORT: '0',
        ADMIN_TOKEN,
        SCREENING_WEBHOOK_URL: 'http://ann:secret@127.0.0.1:1/',
      },
      undefined,
      [{ modules: () => [AcmeModule] }],
    );
    other = await startAdministered({}, gatehouse);
  });
  afterAll(async () => {
    await other.stop();
    await gatehouse.stop();
  });

  it('tells what it is made of, a part of a team included', async () => {
    const { modules, adapters, variables, version } = await look();
    expect(modules).toEqual(
      expect.arrayContaining(['AcmeModule', 'McpModule', 'OAuthModule', 'TabHubModule']),
    );
    expect(adapters).toMatchObject({
      TabPresence: isAlone ? 'InProcessTabPresence' : 'RedisTabPresence',
      ContentScreener: 'WebhookScreener',
    });
    expect(variables).toEqual(expect.arrayContaining(['DATABASE_URL', 'SCREENING_WEBHOOK_URL']));
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Object.keys(adapters)).toContain(TabPresence.name);
  });

  it('tells how busy it and its storages are', async () => {
    const { load, memory, database, redis } = await look();
    expect(load).toEqual({
      requestsAtWork: 0,
      bodyBytes: 0,
      loopLagMs: expect.any(Number),
      refused: { requests: 0, lag: 0 },
    });
    expect(Math.min(...Object.values(memory))).toBeGreaterThan(0);
    expect(database['type']).toBe(DATABASES[storage]);
    expect(database['connections']).toEqual(
      storage === 'postgres'
        ? { busy: expect.any(Number), idle: expect.any(Number), waiting: 0, most: 12 }
        : null,
    );
    expect(redis).toEqual(isAlone ? null : { status: 'ready', unanswered: expect.any(Number) });
  });

  it('lists its own tabs by account, those with the most first, and no tabs of other replicas', async () => {
    const [ann, bob] = [new Browser(gatehouse), new Browser(gatehouse)];
    const idOf = async (browser: Browser) =>
      (await browser.signUp()).json<{ user: { id: string } }>().user.id;
    const ids = [await idOf(ann), await idOf(bob)];
    const tabs = [];
    for (const browser of [bob, ann, ann]) tabs.push(await TabClient.open(gatehouse, browser));
    expect((await look()).hub).toEqual({
      tabs: 3,
      accounts: 2,
      busiest: [
        { user: ids[0], tabs: 2 },
        { user: ids[1], tabs: 1 },
      ],
    });
    expect((await look(other)).hub).toEqual({ tabs: 0, accounts: 0, busiest: [] });
    for (const { socket } of tabs) socket.close();
    await eventually(async () => expect((await look()).hub.tabs).toBe(0));
  });

  it('names 20 accounts at most', async () => {
    const tabs = [];
    for (let n = 0; n < 22; n += 1) {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      tabs.push(await TabClient.open(gatehouse, browser));
    }
    const { hub } = await look();
    expect([hub.accounts, hub.busiest.length]).toEqual([22, 20]);
    for (const { socket } of tabs) socket.close();
  });

  it('tells no value of a variable', async () => {
    const { text } = await new AdminApi(gatehouse).get('replica');
    for (const secret of [ADMIN_TOKEN, 'ann:secret', gatehouse.storage.environment.DATABASE_URL]) {
      expect([typeof secret, text.includes(String(secret))]).toEqual(['string', false]);
    }
  });

  it('401 | a request without the token', async () => {
    const { port } = new AdminApi(gatehouse);
    const answer = await call(port, { method: 'GET', path: '/admin/replica' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([401, 'no-store']);
  });
});
