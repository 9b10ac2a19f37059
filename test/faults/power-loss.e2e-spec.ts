import { randomBytes, randomInt } from 'node:crypto';
import { appendFile, copyFile, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';

const COPIES = 40;
const AT_ONCE = 4;
const PAGE_BYTES = 4_096;

const missing =
  globalThis.STORAGE !== 'embedded'
    ? 'left out where SQLite is not alone'
    : process.platform !== 'linux'
      ? 'left out where threads cannot be seen to stand still'
      : undefined;

/** Like `describe`, but skipped, with the reason in the title. */
const describeHere = (title: string, body: () => void) =>
  missing === undefined ? describe(title, body) : describe.skip(`${title} (${missing})`, body);

describeHere('when the power goes while SQLite is written to', () => {
  let server: BuiltServer;
  let folder: string;
  let acknowledged: string[];

  beforeAll(async () => {
    server = await startBuiltServer({ RATE_LIMIT_MAX: '1000000' });
    folder = await mkdtemp(join(tmpdir(), 'copies-'));
    acknowledged = [];
  });
  afterAll(() => server.stop());

  /** Stops every thread of the server between two instructions. */
  async function freeze() {
    server.process.signal('SIGSTOP');
    const tasks = `/proc/${server.process.pid}/task`;
    await eventually(async () => {
      const threads = await readdir(tasks);
      const stats = await Promise.all(threads.map((id) => readFile(join(tasks, id, 'stat'))));
      expect(stats.filter((stat) => !/\) T /.test(stat.toString()))).toEqual([]);
    });
  }

  /** Copies the files in their current state; every second copy has an additional half page at the end of the log. */
  async function copyFiles(n: number) {
    const path = new URL(server.databaseUrl).pathname;
    const copy = join(folder, `${n}.sqlite`);
    await freeze();
    const known = [...acknowledged];
    for (const name of await readdir(dirname(path))) {
      const suffix = name.slice(basename(path).length);
      await copyFile(join(dirname(path), name), `${copy}${suffix}`);
    }
    server.process.signal('SIGCONT');
    if (n % 2 === 1) await appendFile(`${copy}-wal`, randomBytes(PAGE_BYTES / 2));
    return { copy, known };
  }

  async function signUpsUntil(isOver: () => boolean) {
    while (!isOver()) {
      const answer = await new Browser(server).signUp();
      expect(answer.status).toBe(200);
      acknowledged.push(answer.json<{ user: { id: string } }>().user.id);
    }
  }

  async function inspect(database: string) {
    const dataSource = await new DataSource({ type: 'sqlite', database }).initialize();
    const column = async (query: string) =>
      (await dataSource.query<{ value: string }[]>(query)).map(({ value }) => value);
    const found = {
      integrity: await column('SELECT integrity_check AS value FROM pragma_integrity_check'),
      users: new Set(await column('SELECT id AS value FROM users')),
      halfMade: await column(
        `SELECT id AS value FROM users WHERE id NOT IN (SELECT user_id FROM credentials)
         OR id NOT IN (SELECT user_id FROM sessions)`,
      ),
    };
    await dataSource.destroy();
    return found;
  }

  it('every copy of the files opens, and has all that was acknowledged before, and nothing by halves', async () => {
    let over = false;
    const writing = Promise.all(Array.from({ length: AT_ONCE }, () => signUpsUntil(() => over)));
    const copies: Awaited<ReturnType<typeof copyFiles>>[] = [];
    while (copies.length < COPIES) {
      const enough = acknowledged.length + randomInt(1, 5);
      await eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough));
      copies.push(await copyFiles(copies.length));
    }
    over = true;
    await writing;
    for (const { copy, known } of copies) {
      const { integrity, users, halfMade } = await inspect(copy);
      expect(integrity).toEqual(['ok']);
      expect(known.filter((id) => !users.has(id))).toEqual([]);
      expect(halfMade).toEqual([]);
    }
  });
});
