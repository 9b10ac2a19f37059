import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readServiceVersion } from '../../apps/server/src/config/service-version.js';
import { runGatehouseProcess } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { sqliteForTests, storageForTests } from '../support/services/storage-for-tests.js';

/** A team's second migration, in addition to the built-in ones. */
const EXTENSION = `
  class Team0001Migration1799999999999 {
    name = 'Team0001Migration1799999999999';
    up = (runner) => runner.query('CREATE TABLE team_notes (id integer PRIMARY KEY)');
    down = (runner) => runner.query('DROP TABLE team_notes');
  }
  export const extension = { gatehouse: 1, migrations: [Team0001Migration1799999999999] };
`;

describe('gatehouse migrate', () => {
  let storage: Awaited<ReturnType<typeof storageForTests>>;

  beforeEach(async () => {
    storage = await storageForTests();
  });
  afterEach(() => storage.dispose());

  const migrate = (...args: string[]) =>
    runGatehouseProcess(storage.environment, 'migrate', ...args);
  const withoutMigrating = () => ({ ...storage.environment, PORT: '0', MIGRATE: 'off' });

  it('is what a start with MIGRATE=off asks for, in one line, and leaves the rest to it', async () => {
    const early = new ServerProcess(withoutMigrating());
    expect(await early.exitCode()).toBe(1);
    expect(early.stderr).toMatch(/^the database of DATABASE_URL lacks migrations[^\n]+\n$/);
    expect(early.stdout).toBe('');

    const first = await migrate();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.trimEnd().split('\n').length).toBeGreaterThan(4);
    expect(await migrate()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('that of this version already') as unknown,
    });

    const server = new ServerProcess(withoutMigrating());
    const port = await server.port();
    const browser = new Browser({ port, origin: `http://localhost:${port}` });
    expect((await browser.signUp()).status).toBe(200);
    await server.kill();
  });

  it('runs those of an extension too, and may be called by many at once', async () => {
    const folder = await sqliteForTests();
    const file = join(folder.path, '..', 'team.mjs');
    await writeFile(file, EXTENSION);
    const call = () => migrate('--extension', file);
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    const told = answers.filter(({ stdout }) => stdout !== '');
    expect(told).toEqual([
      expect.objectContaining({
        stdout: expect.stringMatching(/Team0001Migration1799999999999\n$/),
      }),
    ]);
    await folder.dispose();
  });
});

describe('gatehouse --help', () => {
  it.each([
    [[], 'Commands:'],
    [['migrate'], '--extension <file>'],
    [['admin'], 'users'],
  ])('tells what %s takes', async (command, told) => {
    const { code, stdout } = await runGatehouseProcess({}, ...command, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(told);
  });

  it('the commands are printed where none is named, and --version prints the version', async () => {
    const { code, stdout, stderr } = await runGatehouseProcess({});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Commands:');
    expect(await runGatehouseProcess({}, '--version')).toEqual({
      code: 0,
      stdout: `${readServiceVersion()}\n`,
      stderr: '',
    });
  });

  it.each([
    ['what it does not know', ['frobnicate']],
    ['a command that takes less', ['migrate', 'up']],
  ])('is not needed to see what is wrong with %s', async (_what, args) => {
    const { code, stdout, stderr } = await runGatehouseProcess({}, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});
