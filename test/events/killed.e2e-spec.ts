import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/platform';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { Receiver } from './receiver.js';

describe('events of replicas that end (contract: Delivered events)', () => {
  let storage: TestStorage;
  let database: DataSource;
  let receiver: Receiver;
  const processes: ServerProcess[] = [];
  let origin = '';

  const start = async () => {
    const process = new ServerProcess({
      PORT: '0',
      RATE_LIMIT_MAX: '100000',
      ...storage.environment,
      ...receiver.variables,
    });
    processes.push(process);
    const port = await process.port();
    origin ||= `http://localhost:${port}`;
    return { process, at: { port, origin } };
  };

  const newPerson = async (at: { port: number; origin: string }) => {
    const browser = new Browser(at);
    await browser.signUp();
    const id = (await browser.me()).user?.id ?? '';
    return { browser, id };
  };

  const admin = () => new Admin({ storage });
  const listed = async (...args: string[]) =>
    (await admin().json<{ items: { id: string; attempts: number }[] }>(...args)).items;
  /** The audit rows of an account, in order. */
  const written = async (id: string) =>
    (await listed('audit', 'list', '--user', id, '--limit', '1000'))
      .map((row) => row.id)
      .toReversed();
  /** Expires the leases, as the database's own clock does when a replica's time with a queue is over. */
  const endLeases = () => database.query('UPDATE outbox_queues SET due_at = 1');
  /** Waits until a replica has written all rows of before: the order of an account is that of its written rows. */
  const hasWritten = async (at: { port: number; origin: string }) => {
    const { id } = await newPerson(at);
    await eventually(async () => expect(await written(id)).toHaveLength(1));
  };
  const isEmpty = async () => (await listed('events', 'list')).length === 0;

  /** The ids of an account's accepted events, in the order of first arrival. */
  const taken = (id: string) => [...new Set(receiver.of(id).map((event) => event.id))];

  beforeEach(async () => {
    receiver = await Receiver.start();
    storage = await storageForTests();
    const { DATABASE_URL: url } = storage.environment;
    const isSqlite = url.startsWith('sqlite:');
    const at = isSqlite
      ? ({ type: 'sqlite', path: url.slice('sqlite:'.length) } as const)
      : ({ type: 'postgres', url } as const);
    const { process } = await start();
    await process.kill();
    origin = '';
    database = await createDataSource(at, { entities: [], migrations: [] }).initialize();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await database.destroy();
    await storage.dispose();
    receiver.stop();
    origin = '';
  });

  it('SIGKILL in the middle of deliveries: another one delivers them, with the same ids', async () => {
    const { process, at } = await start();
    receiver.answers(() => {});
    const people = await Promise.all([1, 2, 3].map(() => newPerson(at)));
    await eventually(() => expect(receiver.asked.length).toBe(3));
    for (const { browser } of people) await browser.post('/svc/auth/logout');
    await eventually(async () => {
      for (const { id } of people) expect(await written(id)).toHaveLength(2);
    });
    await process.kill();
    const cut = receiver.asked.map(({ event }) => event.id);
    receiver.answers();
    await start();
    await endLeases();
    await eventually(async () => expect(await isEmpty()).toBe(true));
    for (const { id } of people) expect(taken(id)).toEqual(await written(id));
    expect(receiver.taken.map(({ id }) => id)).toEqual(expect.arrayContaining(cut));
  });

  it('SIGTERM while the receiver hangs: it ends in time, and another one need not wait', async () => {
    const { process, at } = await start();
    receiver.answers(() => {});
    const { id } = await newPerson(at);
    await eventually(() => expect(receiver.asked.length).toBe(1));
    process.signal('SIGTERM');
    expect(await process.exitCode()).toBe(0);
    const [left] = await listed('events', 'list');
    expect(left?.attempts).toBe(0);
    const show = ['events', 'show', left?.id ?? ''];
    const { nextAttemptAt } = await admin().json<{ nextAttemptAt: string }>(...show);
    expect(Date.parse(nextAttemptAt)).toBeLessThanOrEqual(Date.now());
    receiver.answers();
    await start();
    await eventually(() => expect(receiver.typesOf(id)).toEqual(['sign-up']));
  });

  it('a receiver that fails is one line in the log, without its address, and one when it is back', async () => {
    const { process, at } = await start();
    receiver.answers((_delivery, response) => void response.writeHead(500).end('<secret>'));
    const people = await Promise.all([1, 2, 3].map(() => newPerson(at)));
    await eventually(() => expect(receiver.asked.length).toBeGreaterThanOrEqual(3));
    receiver.answers();
    for (const { browser } of people) await browser.post('/svc/auth/logout');
    await eventually(async () => {
      await endLeases();
      expect(await isEmpty()).toBe(true);
    });
    const lines = process.stdout.split('\n').filter((line) => /events are/.test(line));
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'events are not delivered: the webhook answered 500; they wait, and are sent again',
      'events are delivered again',
    ]);
    expect(process.stdout).not.toMatch(/whsec_|\/hook|<secret>/);
  });

  it('kills under load: all that the audit trail has comes, in its order', async () => {
    const replicas = [await start(), await start()];
    const people = await Promise.all(replicas.map(({ at }) => newPerson(at)));
    const more = await Promise.all(replicas.map(({ at }) => newPerson(at)));
    const all = [...people, ...more];
    for (let round = 0; round < 3; round += 1) {
      const load = all.map(async ({ browser }, n) => {
        const at = browser.at((replicas[(n + round) % 2] ?? replicas[0])?.at as { port: number });
        at.cookie = browser.cookie;
        for (let turn = 0; turn < 5; turn += 1) {
          await at.post('/svc/auth/logout').catch(() => undefined);
          await at.signIn().catch(() => undefined);
        }
        browser.cookie = at.cookie;
      });
      const before = receiver.taken.length;
      await eventually(() => expect(receiver.taken.length).toBeGreaterThan(before + 5));
      await replicas[round % 2]?.process.kill();
      await Promise.all(load);
      await hasWritten(
        (replicas[(round + 1) % 2] ?? replicas[0])?.at as { port: number; origin: string },
      );
      replicas[round % 2] = await start();
    }
    await endLeases();
    await eventually(async () => expect(await isEmpty()).toBe(true));
    for (const { id } of all) {
      const rows = await written(id);
      expect(rows.length).toBeGreaterThan(2);
      expect(taken(id)).toEqual(rows);
    }
  });
});
