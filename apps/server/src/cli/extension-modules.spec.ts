import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionsIn } from './extension-modules.js';

const FITS = 'export const extension = { gatehouse: 1 };';

describe('a module with an extension', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'extension-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (name: string, source: string) => {
    const file = join(folder, name);
    await writeFile(file, source);
    return file;
  };

  /** The message about a file, without its prefix. */
  async function refusalOf(file: string) {
    const failure: unknown = await extensionsIn([file]).catch((error: unknown) => error);
    const { name, message } = failure as Error;
    const beginning = `--extension ${file}`;
    expect([name, message.startsWith(beginning)]).toEqual(['ExtensionError', true]);
    expect(message).not.toContain('\n');
    return message.slice(beginning.length).trim();
  }

  it.each([
    ['ESM', 'acme.mjs', FITS],
    ['CommonJS', 'acme.cjs', 'exports.extension = { gatehouse: 1 };'],
    [
      'CommonJS without names',
      'acme.cjs',
      'module.exports = Object({ extension: { gatehouse: 1 } });',
    ],
  ])('may be %s', async (_kind, name, source) => {
    expect(await extensionsIn([await write(name, source)])).toEqual([{ gatehouse: 1 }]);
  });

  it.each([
    [
      'is for another major version',
      'export const extension = { gatehouse: 7 };',
      /^was written for Gatehouse 7,/,
    ],
    ['says nothing of Gatehouse', 'export const extension = {};', /^does not say which Gatehouse/],
    ['exports nothing', 'export const other = {};', /^has no export named "extension"$/],
    ['exports no object', 'export const extension = [];', /^has no export named "extension"$/],
    [
      'throws',
      'throw new TypeError("no\\nanvils");',
      /^cannot be loaded: TypeError: no anvils \(\S+acme\.mjs:1\)$/,
    ],
    ['throws no error', 'throw "no anvils";', /^cannot be loaded: no anvils$/],
    ['cannot be parsed', 'const a = ;', /^cannot be loaded: SyntaxError: Unexpected token ';'/],
    [
      'imports what is not installed',
      'import "acme-anvils";',
      /^cannot be loaded: Error: Cannot find package 'acme-anvils' imported from \S+acme\.mjs/,
    ],
    [
      'imports what a package does not have',
      'import { anvils } from "node:fs";',
      /^cannot be loaded: SyntaxError: .*'node:fs' does not provide an export named 'anvils'/,
    ],
  ])('that %s is reported in one line', async (_what, source, line) => {
    expect(await refusalOf(await write('acme.mjs', source))).toMatch(line);
  });

  it('that is not there is reported in one line', async () => {
    expect(await refusalOf(join(folder, 'acme.mjs'))).toBe(': there is no such file');
    await mkdir(join(folder, 'dist'));
    expect(await refusalOf(join(folder, 'dist'))).toMatch(/^cannot be loaded: .*[Dd]irectory/);
  });
});
