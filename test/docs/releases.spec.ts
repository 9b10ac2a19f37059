import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const releases = read('docs/about/releases.md');

describe('docs/about/releases.md', () => {
  it('names every entry of the package', () => {
    const [, list = ''] =
      /^- what the entries of the package export,.*?: (.+)$/m.exec(releases) ?? [];
    const named = [...list.matchAll(/`(?:gatehouse)?(\/[a-z/-]+)?`/g)].map(
      ([, path = '']) => `.${path}`,
    );
    expect(named.toSorted()).toEqual(Object.keys(manifest.exports).toSorted());
  });

  it('names every command, and the file that it is in the image', () => {
    const source = read('apps/server/src/cli/gatehouse.ts');
    const commands = [...source.matchAll(/\badd\('(\w+)',/g)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) expect(releases).toContain(`\`${command}\``);
    expect(manifest.bin).toEqual({ gatehouse: './dist/apps/server/src/main.js' });
    expect(releases).toContain('`node dist/apps/server/src/main.js`');
  });
});

describe('the version', () => {
  it('is the same in package-lock.json', () => {
    const lock = JSON.parse(read('package-lock.json')) as Manifest & {
      readonly packages: Readonly<Record<string, Manifest>>;
    };
    expect([lock.version, lock.packages['']?.version]).toEqual([
      manifest.version,
      manifest.version,
    ]);
  });

  it('has a chapter in CHANGELOG.md, the first below what is not released', () => {
    const chapters = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(chapters[0]).toBe('[Unreleased]');
    expect(chapters[1]).toMatch(new RegExp(`^\\[${manifest.version}\\] - \\d{4}-\\d\\d-\\d\\d$`));
  });
});
