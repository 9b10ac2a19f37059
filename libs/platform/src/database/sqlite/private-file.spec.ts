import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDataSource } from './sqlite.data-source.js';

describe('the files of an SQLite database', () => {
  let folder: string;
  let umask: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'private-'));
    umask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });

  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  /** Permissions of all files of the database while it is written to. */
  const modesWhileOpen = async (path: string) => {
    const dataSource = await new SqliteDataSource({ path }).initialize();
    await dataSource.query('CREATE TABLE IF NOT EXISTS note (text VARCHAR)');
    await dataSource.query("INSERT INTO note VALUES ('a')");
    const names = (await readdir(join(path, '..'))).filter((name) => name.startsWith('a.sqlite'));
    const modes = await Promise.all(
      names.map(async (name) => [name, await modeOf(join(path, '..', name))] as const),
    );
    await dataSource.destroy();
    return Object.fromEntries(modes);
  };

  const PRIVATE = { 'a.sqlite': '600', 'a.sqlite-wal': '600', 'a.sqlite-shm': '600' };

  it('are for their user alone, and so are folders that are made for them', async () => {
    const path = join(folder, 'new', 'newer', 'a.sqlite');
    expect(await modesWhileOpen(path)).toEqual(PRIVATE);
    expect(await modeOf(join(folder, 'new', 'newer'))).toBe('700');
    expect(await modeOf(join(folder, 'new'))).toBe('700');
  });

  it('become so where they were open to others, and keep what they hold', async () => {
    const path = join(folder, 'a.sqlite');
    await modesWhileOpen(path);
    await chmod(path, 0o666);
    expect(await modesWhileOpen(path)).toEqual(PRIVATE);
    const again = await new SqliteDataSource({ path }).initialize();
    expect(await again.query('SELECT COUNT(*) AS n FROM note')).toEqual([{ n: 2 }]);
    await again.destroy();
  });

  it('leave a folder that is there as it is', async () => {
    const ours = join(folder, 'ours');
    await mkdir(ours, { mode: 0o755 });
    await modesWhileOpen(join(ours, 'a.sqlite'));
    expect(await modeOf(ours)).toBe('755');
  });

  it('may be reached by a link', async () => {
    await writeFile(join(folder, 'a.sqlite'), '', { mode: 0o644 });
    await symlink(join(folder, 'a.sqlite'), join(folder, 'link'));
    const dataSource = await new SqliteDataSource({ path: join(folder, 'link') }).initialize();
    expect(await modeOf(join(folder, 'a.sqlite'))).toBe('600');
    await dataSource.destroy();
  });

  it('are opened by many at once while there is no file', async () => {
    const path = join(folder, 'a.sqlite');
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => new SqliteDataSource({ path }).initialize()),
    );
    await opened[0]?.query('CREATE TABLE note (text VARCHAR)');
    await Promise.all(opened.map((one, n) => one.query(`INSERT INTO note VALUES ('${n}')`)));
    expect(await opened[7]?.query('SELECT COUNT(*) AS n FROM note')).toEqual([{ n: 8 }]);
    await Promise.all(opened.map((one) => one.destroy()));
  });
});
