import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { FreshnessService, OwnAccountService } from '#libs/accounts';
import { ConnectionCalls } from '#libs/oauth';
import { LoadShedder } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { ConnectedApp } from '../mcp/connected-app.js';
import { AccountExportService } from '../../apps/server/src/export/account-export.service.js';
import { UnreadAnswers } from '../../apps/server/src/http/unread-answers.js';
import { startBuiltServer } from '../support/built-server.js';
import { type Gatehouse, useGatehouse } from '../support/gatehouse.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';

const CONNECTIONS = 100;
const CALLS = 1_000;
const PAGE = 100;
const PAGES = CONNECTIONS * (CALLS / PAGE);

/** Copies the one connection there is, and gives each of them its calls. */
async function fill(dataSource: DataSource) {
  const [grant] = await dataSource.query<object[]>('SELECT * FROM oauth_grants');
  const columns = Object.keys(grant ?? {});
  const values = columns.map((name) => (name === 'id' ? "'copy-' || i" : name));
  const upTo = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await dataSource.query(
    `INSERT INTO oauth_grants (${columns.join()}) ${upTo(CONNECTIONS - 1)} SELECT ${values.join()} FROM oauth_grants, n`,
  );
  await dataSource.query(`
    INSERT INTO audit_events (id, at, type, user_id, grant_id, origin, facts, count, expires_at)
    ${upTo(CALLS)}
    SELECT printf('0190%04x-0000-7000-8000-%012x', i, g.rowid), ${Date.now()}, 'tool-called', g.user_id, g.id, '',
      '{"tool":"run_code","outcome":"done","kind":"tool","name":"run_code","title":"' || printf('%0150d', i) || '"}',
      1, ${Date.now() + 86_400_000}
    FROM oauth_grants g, n`);
}

async function open(
  { port, origin }: Pick<Gatehouse, 'port' | 'origin'>,
  { browser }: ConnectedApp,
): Promise<IncomingMessage> {
  const headers = { host: new URL(origin).host, cookie: browser.cookie ?? '' };
  const asking = get({ host: '127.0.0.1', port, path: '/svc/me/export', headers, agent: false });
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return answer;
}

interface Named {
  readonly profile: { readonly id: string };
}

const MEBIBYTE = 1024 * 1024;

/** In bytes, since its start. */
const mostMemoryOf = (pid: number | undefined) =>
  1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

beforeAll(beginRounds);
afterAll(endRounds);

describe('an export of 100 connections with 100,000 calls (contract: Own account)', () => {
  const gatehouse = useGatehouse();
  let app: ConnectedApp;
  /** Pages of calls that were read, and the most at a time. */
  let pages: number;
  let mostAtOnce: number;

  beforeAll(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
    await fill(gatehouse.app.get(DataSource));
    const calls = gatehouse.app.get(ConnectionCalls, { strict: false });
    const page = calls.page.bind(calls);
    let atOnce = 0;
    jest.spyOn(calls, 'page').mockImplementation(async (...args) => {
      pages += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      return page(...args).finally(() => (atOnce -= 1));
    });
  });
  beforeEach(() => {
    [pages, mostAtOnce] = [0, 0];
  });
  afterAll(() => jest.restoreAllMocks());

  /** The answer is not read from, and the kernel takes no more of it. */
  async function stalled() {
    const { held } = gatehouse.app.get(UnreadAnswers);
    let before = -1;
    await eventually(() => {
      const isSame = before === pages;
      before = pages;
      expect([isSame, held.bytes > 0]).toEqual([true, true]);
    });
    return held.bytes;
  }

  it('is written as it is read: while its reader waits, no page is read and little is held', async () => {
    const answer = await open(gatehouse, app);
    expect(await stalled()).toBeLessThan(256 * 1024);
    expect(pages).toBeLessThan(PAGES);
    // It waits for its reader, as any number of them may.
    expect(gatehouse.app.get(LoadShedder).atWork).toBe(0);
    const whole = JSON.parse(await text(answer)) as { connections: { calls: { id: string }[] }[] };
    const calls = whole.connections.flatMap((connection) => connection.calls);
    expect([whole.connections.length, calls.length]).toEqual([CONNECTIONS, CONNECTIONS * CALLS]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(CONNECTIONS * CALLS);
    expect(pages).toBe(PAGES);
  });

  it('ends when its reader goes', async () => {
    const answer = await open(gatehouse, app);
    await stalled();
    const read = pages;
    answer.destroy();
    const { held } = gatehouse.app.get(UnreadAnswers);
    await eventually(() => expect(held.bytes).toBe(0));
    // A later export reads its pages, and that one none.
    const next = await open(gatehouse, app);
    await text(next);
    expect(pages - read).toBe(PAGES);
  });

  it('reads its pages in turns with others of the account', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => open(gatehouse, app)));
    const lengths = (await Promise.all(answers.map(text))).map(({ length }) => length);
    expect(new Set(lengths).size).toBe(1);
    expect([pages, mostAtOnce]).toEqual([3 * PAGES, 1]);
  });

  it('is cut where its reader stops reading, before it could be taken for the whole', async () => {
    const answer = await open(gatehouse, app);
    await stalled();
    gatehouse.app.get(UnreadAnswers).cut.time = 0;
    for (let n = 0; n < 12; n += 1) gatehouse.app.get(UnreadAnswers).check();
    await expect(text(answer)).rejects.toThrow('aborted');
  });

  it('is cut where its account has others that keep too much, before it could be taken for the whole', async () => {
    const { kept } = gatehouse.app.get(AccountExportService, { strict: false });
    const answer = await open(gatehouse, app);
    await stalled();
    const bytes = kept.bytes / 2;
    expect(bytes).toBeGreaterThan(0);
    const id = (await app.browser.me()).user?.id ?? '';
    const others = Array.from({ length: Math.floor((16 * MEBIBYTE) / bytes) - 2 }, () => ({
      cut: () => undefined,
    }));
    for (const other of others) kept.set(id, other, bytes);
    expect(kept.bytes).toBeGreaterThan(16 * MEBIBYTE - bytes);
    const last = { cut: jest.fn() };
    kept.set(id, last, bytes);
    await expect(text(answer)).rejects.toThrow('aborted');
    expect(last.cut).not.toHaveBeenCalled();
    for (const other of [...others, last]) kept.set(id, other, 0);
    expect(kept.bytes).toBe(0);
  });

  // The last one: it signs out.
  it('ends with its session', async () => {
    const { cut } = gatehouse.app.get(UnreadAnswers);
    const before = { ...cut };
    const answer = await open(gatehouse, app);
    await stalled();
    expect((await app.browser.post('/svc/auth/logout')).status).toBe(204);
    let isOpen = true;
    answer.on('error', () => undefined).once('close', () => (isOpen = false));
    await afterRounds(async () => {
      const read = pages;
      answer.resume();
      await eventually(() => expect(isOpen && pages === read).toBe(false));
      answer.pause();
      expect(isOpen).toBe(false);
    });
    expect(pages).toBeLessThan(PAGES);
    expect(cut).toEqual(before);
  });
});

describe('exports of several accounts', () => {
  const gatehouse = useGatehouse();
  afterEach(() => jest.restoreAllMocks());

  it('are read for two accounts at a time', async () => {
    const apps: ConnectedApp[] = [];
    for (let n = 0; n < 3; n += 1) {
      apps.push(await ConnectedApp.connect(gatehouse, ['account:read']));
    }
    const account = gatehouse.app.get(OwnAccountService, { strict: false });
    const describeAccount = account.describe.bind(account);
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const spy = jest.spyOn(account, 'describe').mockImplementation(async (...args) => {
      await gate;
      return describeAccount(...args);
    });
    const fresh = jest.spyOn(gatehouse.app.get(FreshnessService, { strict: false }), 'expect');
    const answers = apps.flatMap((app) => [open(gatehouse, app), open(gatehouse, app)]);
    await eventually(() => expect(fresh).toHaveBeenCalledTimes(answers.length));
    await Promise.all(fresh.mock.results.map(({ value }) => value as Promise<void>));
    await setImmediate();
    expect(spy).toHaveBeenCalledTimes(2);
    expect(new Set(spy.mock.calls.map(([userId]) => userId)).size).toBe(2);
    openGate();
    const files = await Promise.all(answers.map(async (answer) => text(await answer)));
    const names = files.map((file) => (JSON.parse(file) as Named).profile.id);
    expect(new Set(names).size).toBe(3);
  });
});

describe('the memory for such exports (contract: Own account)', () => {
  it('is at most 100 MiB, for eight at once', async () => {
    const server = await startBuiltServer();
    const app = await ConnectedApp.connect(server, ['account:read']);
    const database = server.databaseUrl.replace('sqlite:', '');
    const dataSource = await new DataSource({ type: 'sqlite', database }).initialize();
    await fill(dataSource);
    await dataSource.destroy();
    const before = mostMemoryOf(server.process.pid);
    const lengthOf = async () => (await text(await open(server, app))).length;
    const lengths = await Promise.all(Array.from({ length: 8 }, lengthOf));
    expect(Math.min(...lengths)).toBeGreaterThan(20 * MEBIBYTE);
    expect(mostMemoryOf(server.process.pid) - before).toBeLessThan(100 * MEBIBYTE);
    await server.stop();
  });
});
