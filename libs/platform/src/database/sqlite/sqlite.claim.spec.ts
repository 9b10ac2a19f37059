import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../testing.js';
import { claimSqliteFile } from './sqlite.connection.js';

const SQLITE3 = createRequire(import.meta.url).resolve('sqlite3');

/** Another process that holds the same lock; it is killed, as in a crash. */
const HOLDER = `
const { Database } = require(${JSON.stringify(SQLITE3)});
const database = new Database(process.argv[1]);
database.exec('BEGIN EXCLUSIVE', () => console.log('held'));
setInterval(() => {}, 1000);`;

describe('the claim of an SQLite file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-'));
    file = join(folder, 'a.sqlite');
    await writeFile(file, '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is one process\u2019s at a time, by whatever name the file goes', async () => {
    await symlink(file, join(folder, 'link'));
    const first = await claimSqliteFile(file);
    const others = await Promise.all([file, join(folder, 'link')].map(claimSqliteFile));
    expect([first, ...others].map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
    await Promise.all([first, ...others].map((claim) => claim.release()));
    const next = await claimSqliteFile(file);
    expect(next.isFirst).toBe(true);
    await next.release();
  });

  it('is taken once by any number at the same time', async () => {
    const claims = await Promise.all(Array.from({ length: 16 }, () => claimSqliteFile(file)));
    expect(claims.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    await Promise.all(claims.map((claim) => claim.release()));
  });

  it('ends with the process that has it, also when that is killed', async () => {
    const holder = spawn(process.execPath, ['--eval', HOLDER, `${file}-claim`]);
    await once(holder.stdout, 'data');
    const late = await claimSqliteFile(file);
    await late.release();
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const next = await eventually(async () => {
      const claim = await claimSqliteFile(file);
      if (!claim.isFirst) await claim.release();
      expect(claim.isFirst).toBe(true);
      return claim;
    });
    expect(late.isFirst).toBe(false);
    await next.release();
  });

  it('is an empty file for its user alone, and does without one', async () => {
    const claim = await claimSqliteFile(file);
    expect((await stat(`${file}-claim`)).mode & 0o777).toBe(0o600);
    expect(await readFile(`${file}-claim`, 'utf8')).toBe('');
    await claim.release();
    await rm(`${file}-claim`);
    await writeFile(`${file}-claim`, 'no database, and not empty'.repeat(100));
    await chmod(`${file}-claim`, 0o400);
    const doubtful = await claimSqliteFile(file);
    expect(doubtful.isFirst).toBe(true);
    await doubtful.release();
  });
});
