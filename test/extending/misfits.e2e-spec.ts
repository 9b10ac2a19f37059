import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGatehouseProcess } from '../support/admin-process.js';
import { ServerProcess } from '../support/built-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Other faults of modules are tested in apps/server/src/cli/extension-modules.spec.ts. */
describe('an extension that does not fit', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'misfits-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (name: string, source: string) => {
    const file = join(folder, name);
    await writeFile(file, source);
    return file;
  };

  const database = () => ({ DATABASE_URL: `sqlite:${join(folder, 'test.sqlite')}` });

  /** The single line that is printed before the exit, without its prefix. */
  async function refusal(file: string, command = 'start') {
    const variables = { PORT: '0', ...database() };
    const args = [command, '--extension', file];
    const { code, stdout, stderr } = await runGatehouseProcess(variables, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    const name = `--extension ${file}`;
    expect(stderr.slice(0, name.length)).toBe(name);
    return stderr.slice(name.length).trim();
  }

  it('since it was written for another major version keeps start, migrate and doctor from beginning', async () => {
    const file = await write('acme.js', 'export const extension = { gatehouse: 7 };');
    const commands = ['start', 'migrate', 'doctor'];
    const lines = await Promise.all(commands.map((command) => refusal(file, command)));
    for (const line of lines) {
      expect(line).toMatch(/^was written for Gatehouse 7, and this is Gatehouse \d+\.\d+\.\d+: /);
    }
  });

  it('since it replaces nothing keeps start, migrate and doctor from beginning', async () => {
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules/gatehouse'));
    const source = `
      import { ClientPolicy } from 'gatehouse/oauth';
      const policy = { provide: ClientPolicy, useValue: { refusalOf: async () => 'not yet' } };
      export const extension = { gatehouse: 1, replacements: { accounts: [policy] } };`;
    const file = await write('acme.mjs', source);
    const commands = ['start', 'migrate', 'doctor'];
    const lines = await Promise.all(commands.map((command) => refusal(file, command)));
    for (const line of lines) {
      expect(line).toBe(
        ': replacements.accounts has ClientPolicy, which is of oauth: list it in replacements.oauth',
      );
    }
  });

  it('is reported in the same way where a team starts the service from code', async () => {
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules/gatehouse'));
    const source = 'import { start } from "gatehouse"; await start([{ gatehouse: 7 }]);';
    const script = [await write('main.mjs', source)];
    const server = new ServerProcess({ PORT: '0', ...database() }, script);
    expect(await server.exitCode()).toBe(1);
    expect(server.stderr).toMatch(/^an extension was written for Gatehouse 7, [^\n]+\n$/);
  });
});

describe('an extension that fits', () => {
  it('may be CommonJS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fits-'));
    const file = join(folder, 'acme.cjs');
    await writeFile(file, 'exports.extension = { gatehouse: 1 };');
    const variables = { DATABASE_URL: `sqlite:${join(folder, 'test.sqlite')}` };
    const { code, stderr } = await runGatehouseProcess(variables, 'migrate', '--extension', file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await rm(folder, { recursive: true, force: true });
  });
});
