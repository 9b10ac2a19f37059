import { DataSource } from 'typeorm';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { Relay } from '../support/relay.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { askManagement } from '../support/management.js';

type Statuses = Readonly<Record<string, string>>;

interface Readiness {
  readonly dependencies: Readonly<Record<string, { status: string; durationMs: number }>>;
}

const hasRedis = globalThis.STORAGE !== 'embedded';
const hasPostgres = globalThis.STORAGE === 'postgres';

let gatehouse: Gatehouse;

async function readiness(path = '/readyz') {
  const answer = await askManagement(gatehouse, path);
  const { dependencies } = answer.json<Readiness>();
  const entries = Object.entries(dependencies).map(([name, { status }]) => [name, status]);
  return { status: answer.status, dependencies: Object.fromEntries(entries) as Statuses };
}

const becomes = (status: number, dependencies: Statuses) =>
  eventually(async () => expect(await readiness()).toEqual({ status, dependencies }));

describe.each([
  ['REDIS_URL', 'redis', 'database', hasRedis],
  ['DATABASE_URL', 'database', 'redis', hasPostgres],
] as const)('readiness with %s behind a relay', (variable, failing, other, applies) => {
  let storage: TestStorage;
  let relay: Relay;

  const when = applies ? it : it.skip;
  const up = { [failing]: 'up', [other]: 'up' };
  const down = { [failing]: 'down', [other]: 'up' };

  beforeEach(async () => {
    if (!applies) return;
    storage = await storageForTests();
    const url = storage.environment[variable] ?? '';
    relay = await Relay.to(Number(new URL(url).port));
    const variables = { ...storage.environment, [variable]: relay.instead(url) };
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0', ...variables });
  });
  afterEach(async () => {
    if (!applies) return;
    await gatehouse.stop();
    await relay.cut();
    await storage.dispose();
  });

  when(
    `names ${failing} when it is gone, unless it is left out, and recovers (skipped where there is none)`,
    async () => {
      await becomes(200, up);
      await relay.cut();
      await becomes(503, down);
      const left = await readiness(`/readyz?exclude=${failing}`);
      expect(left).toEqual({ status: 200, dependencies: { [other]: 'up' } });
      await relay.restore();
      await becomes(200, up);
    },
  );

  when(`names ${failing} when it hangs, and recovers (skipped where there is none)`, async () => {
    await becomes(200, up);
    relay.hush();
    await becomes(503, down);
    relay.unhush();
    await becomes(200, up);
  });
});

describe('readiness with the data source closed', () => {
  beforeAll(async () => {
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gatehouse.stop());

  it('names the database, and recovers', async () => {
    const redis: Statuses = hasRedis ? { redis: 'up' } : {};
    const dataSource = gatehouse.app.get(DataSource);
    await becomes(200, { database: 'up', ...redis });
    await dataSource.destroy();
    await becomes(503, { database: 'down', ...redis });
    await dataSource.initialize();
    await becomes(200, { database: 'up', ...redis });
  });
});
