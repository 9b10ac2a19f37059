import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ServerProcess } from '../support/built-server.js';
import { BusyPerson } from '../support/busy-person.js';
import { eventually } from '#libs/platform/testing';
import { doubleSpent, failures, usedAfterRevoked } from '../support/history.js';
import { LoadDriver } from '../support/load-driver.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { describeTopology, type Replica, Topology } from '../support/topology.js';
import { Release } from './release.js';

const PEOPLE = 3;
const BUSY = 2;
/** The price of a greeting. */
const PRICE = 5;
const COULD_NOT_CONNECT = 1006;

describeTopology('a rolling update to the next release, with a migration of both', () => {
  let folder: string;
  let storage: TestStorage;
  let first: Release;
  let next: Release;
  let topology: Topology;
  let load: LoadDriver;
  let busy: BusyPerson[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rolling-update-'));
    storage = await storageForTests();
    first = await Release.pack(join(folder, 'first'));
    next = await first.next(join(folder, 'next'), '1.1.0');
    await migrate(first);
    const variables = { ...storage.environment, MIGRATE: 'off', BUDGET_DAILY_LIMIT: '1000000' };
    topology = await Topology.start(variables, first.command('start'));
    load = new LoadDriver(topology);
    busy = await Promise.all(Array.from({ length: BUSY }, () => BusyPerson.enter(topology)));
  });
  afterAll(async () => {
    await Promise.all([load.stop(), ...busy.map((person) => person.stop())]);
    await topology.stop();
    await storage.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function migrate(release: Release): Promise<string> {
    const migrating = new ServerProcess(storage.environment, release.command('migrate'));
    const code = await migrating.exitCode();
    if (code !== 0) throw new Error(`not migrated: ${migrating.stderr}`);
    return migrating.stdout;
  }

  /** Resolves when every person has continued for a while. */
  const goOn = () =>
    Promise.all([
      load.more(30),
      ...busy.map(async ({ history }) => {
        const enough = history.length + 10;
        await eventually(() => expect(history.length).toBeGreaterThan(enough));
      }),
    ]);

  async function replace(replica: Replica, release: Release) {
    expect(await replica.end()).toBe(0);
    await goOn();
    await replica.start(release.command('start'));
    await topology.settle();
    await goOn();
  }

  /** The number of audit rows of each type, and of calls of the team's tool. */
  async function auditTrail(): Promise<Record<string, number>> {
    const client = new Client({ connectionString: storage.environment.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ what: string; times: string }>(
      `SELECT CASE type WHEN 'tool-called' THEN detail ELSE type END AS what, sum(count) AS times
       FROM audit_events GROUP BY 1`,
    );
    await client.end();
    return Object.fromEntries(rows.map(({ what, times }) => [what, Number(times)]));
  }

  it('loses nothing, and the release before goes on and starts on what is migrated', async () => {
    load.start(PEOPLE);
    await goOn();
    const names = (await migrate(next)).trim().split('\n');
    expect(names).toEqual(['Next0001Migration1899999999991', 'Acme0002Migration1899999999992']);
    await goOn();
    await replace(topology.replicas[0], first);
    for (const replica of topology.replicas) await replace(replica, next);
    await Promise.all([load.stop(), ...busy.map((person) => person.stop())]);
    const used = await Promise.all(
      busy.map(async ({ browser }) => (await browser.me()).budget?.used ?? 0),
    );
    for (const replica of topology.replicas) expect(await replica.end()).toBe(0);

    const failed = failures([...load.history, ...busy.flatMap(({ history }) => history)]);
    // A busy machine sheds load for a moment; such a request has no effect, and its client sends it again.
    expect(failed.filter(({ outcome }) => outcome !== 503)).toEqual([]);
    expect(doubleSpent(load.history)).toEqual([]);
    expect(usedAfterRevoked(load.history)).toEqual([]);
    for (const [n, { lost, delivered, greetings }] of busy.entries()) {
      expect(lost).toEqual([]);
      const spent = (used[n] ?? 0) - PRICE * greetings;
      // A message costs 1, unless there was no tab to deliver it to.
      expect(spent).toBeGreaterThanOrEqual(delivered.filter(Boolean).length);
      expect(spent).toBeLessThanOrEqual(delivered.length);
    }
    const closings = busy.flatMap(({ tabs }) => tabs.flatMap((tab) => tab.closings));
    expect(closings.length).toBeGreaterThan(0);
    expect(closings).not.toContain(COULD_NOT_CONNECT);

    const done = (name: string) =>
      load.history.filter((one) => one.name === name && one.expected && one.outcome !== 400).length;
    const greetings = busy.reduce((sum, person) => sum + person.greetings, 0);
    const refreshes = busy.flatMap(({ history }) =>
      history.filter(({ name, expected }) => name === 'refresh' && expected),
    );
    expect(await auditTrail()).toMatchObject({
      'sign-up': done('register verify') + BUSY,
      'sign-in': done('login verify'),
      'consent-approved': done('consent') + BUSY,
      'code-exchanged': done('exchange') + BUSY,
      'token-refreshed': done('refresh') + refreshes.length,
      'app-disconnected': done('disconnect'),
      'acme_greet: done': greetings,
    });
  });
});
