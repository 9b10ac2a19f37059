import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { runGatehouseProcess } from '../support/admin-process.js';
import { ServerProcess } from '../support/built-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const FITS = 'export const extension = { gatehouse: 1 };';

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

  /** A copy of a package of ours, as an installation of the team's has it. */
  const install = async (name: string) => {
    const place = join(folder, 'node_modules', name);
    const isNeeded = (path: string) => !/\/typeorm\/browser|\.(map|d\.ts)$/.test(path);
    await cp(join(ROOT, 'node_modules', name), place, { recursive: true, filter: isNeeded });
    return place;
  };

  const database = () => ({ DATABASE_URL: `sqlite:${join(folder, 'test.sqlite')}` });

  /** The one line that is said before the end, without its beginning. */
  async function refusal(file: string, command = 'start') {
    const { code, stdout, stderr } = await runGatehouseProcess(
      { PORT: '0', ...database() },
      command,
      '--extension',
      file,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    const name = `--extension ${file}`;
    expect(stderr.slice(0, name.length)).toBe(name);
    return stderr.slice(name.length).trim();
  }

  it.each(['start', 'migrate', 'doctor'])(
    'since it was written for another major version keeps %s from beginning',
    async (command) => {
      const file = await write('acme.js', 'export const extension = { gatehouse: 7 };');
      expect(await refusal(file, command)).toMatch(
        /^was written for Gatehouse 7, and this is Gatehouse \d+\.\d+\.\d+: /,
      );
    },
  );

  it.each([
    ['says nothing of Gatehouse', 'export const extension = {};', /^does not say which Gatehouse/],
    ['exports nothing', 'export const other = {};', /^has no export named "extension"$/],
    ['exports no object', 'export const extension = [];', /^has no export named "extension"$/],
    [
      'throws',
      'throw new TypeError("no\\nanvils");',
      /^cannot be loaded: TypeError: no anvils \(\S+acme\.js:1\)$/,
    ],
    ['throws no error', 'throw "no anvils";', /^cannot be loaded: no anvils$/],
    ['cannot be parsed', 'const a = ;', /^cannot be loaded: SyntaxError: Unexpected token ';'/],
    [
      'imports what is not installed',
      'import "acme-anvils";',
      /^cannot be loaded: Error: Cannot find package 'acme-anvils' imported from \S+acme\.js$/,
    ],
    [
      'imports what a package does not have',
      'import { anvils } from "node:fs";',
      /^cannot be loaded: SyntaxError: .*'node:fs' does not provide an export named 'anvils'/,
    ],
  ])('since it %s is told of in one line', async (_what, source, line) => {
    expect(await refusal(await write('acme.js', source))).toMatch(line);
  });

  it('since it is not there is told of in one line', async () => {
    expect(await refusal(join(folder, 'acme.js'))).toBe(': there is no such file');
    await mkdir(join(folder, 'dist'));
    expect(await refusal(join(folder, 'dist'))).toMatch(/^cannot be loaded: .*[Dd]irectory/);
  });

  it.each(['@nestjs/common', 'typeorm', 'rxjs'])(
    'since it has a %s of its own names both places',
    async (name) => {
      const theirs = await install(name);
      const ours = join(await realpath(ROOT), 'node_modules', name);
      const line = await refusal(await write('acme.js', FITS));
      const places = line.replaceAll(/ \(\d+\.\d+\.\d+\)/g, '');
      expect(places).toMatch(
        `imports ${name} from ${theirs}, and Gatehouse from ${ours}: there may be one of it; npm dedupe`,
      );
    },
  );

  it('is told of in the words of docs/extending.md', async () => {
    await install('typeorm');
    const plain = (line: string) =>
      line.replaceAll(/\/[^\s:]+/g, '<place>').replaceAll(/\d+\.\d+\.\d+/g, '<version>');
    const documented = /^```\n--extension \S+ (.+)\n```$/m.exec(
      readFileSync(join(ROOT, 'docs/extending.md'), 'utf8'),
    );
    const line = await refusal(await write('acme.js', FITS));
    expect(plain(line)).toBe(plain(documented?.[1] ?? ''));
  });

  it('since it has a Gatehouse of its own names both versions', async () => {
    const place = join(folder, 'node_modules/gatehouse');
    await mkdir(place, { recursive: true });
    await write(
      'node_modules/gatehouse/package.json',
      JSON.stringify({ name: 'gatehouse', version: '0.9.0', exports: './index.js' }),
    );
    const line = await refusal(await write('acme.js', FITS));
    expect(line).toMatch(`imports gatehouse from ${place} (0.9.0), and Gatehouse from `);
  });

  it('is told of in the same way where a team starts the service from code', async () => {
    await install('@nestjs/common');
    await symlink(ROOT, join(folder, 'node_modules/gatehouse'));
    const main = await write(
      'main.mjs',
      'import { start } from "gatehouse"; await start([{ gatehouse: 1 }]);',
    );
    const server = new ServerProcess({ PORT: '0', ...database() }, [main]);
    expect(await server.exitCode()).toBe(1);
    expect(server.stderr).toMatch(/^\S+main\.mjs imports @nestjs\/common from [^\n]+\n$/);

    await rm(join(folder, 'node_modules/@nestjs'), { recursive: true });
    await write('main.mjs', 'import { start } from "gatehouse"; await start([{ gatehouse: 7 }]);');
    const other = new ServerProcess({ PORT: '0', ...database() }, [main]);
    expect(await other.exitCode()).toBe(1);
    expect(other.stderr).toMatch(/^an extension was written for Gatehouse 7, [^\n]+\n$/);
  });
});

describe('an extension that fits', () => {
  it.each([
    ['ESM', 'acme.mjs', FITS],
    ['CommonJS', 'acme.cjs', 'exports.extension = { gatehouse: 1 };'],
    [
      'CommonJS without names',
      'acme.cjs',
      'module.exports = Object({ extension: { gatehouse: 1 } });',
    ],
  ])('may be %s', async (_kind, name, source) => {
    const folder = await mkdtemp(join(tmpdir(), 'fits-'));
    const file = join(folder, name);
    await writeFile(file, source);
    const variables = { DATABASE_URL: `sqlite:${join(folder, 'test.sqlite')}` };
    const { code, stderr } = await runGatehouseProcess(variables, 'migrate', '--extension', file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await rm(folder, { recursive: true, force: true });
  });
});
