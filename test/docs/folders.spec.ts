import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [, chapter = ''] =
  /^## Folders\n([^]*?)^## /m.exec(readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8')) ?? [];

const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The folders below `src` that the table lists, by lib or app. */
const listed = new Map(
  chapter
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, where = '', , folders = ''] = line.split('|');
      return [namesIn(where)[0] ?? '', namesIn(folders).toSorted()] as const;
    }),
);
const generic = namesIn(/^Beside these, a lib may have (.+?)\./m.exec(chapter)?.[1] ?? '');

const foldersOf = (where: string) =>
  globSync(`${where}/src/*/`, { cwd: ROOT })
    .map((path) => basename(path))
    .filter((name) => !generic.includes(name))
    .toSorted();

describe('the folders in CONTRIBUTING.md', () => {
  it('are those of every lib and app', () => {
    const parts = globSync('{apps,libs}/*/', { cwd: ROOT }).map((path) => path.replace(/\/$/, ''));
    expect([...listed.keys()].toSorted()).toEqual(parts.toSorted());
  });

  it.each([...listed])('are the folders of %s', (where, folders) => {
    expect(folders).toEqual(foldersOf(where));
  });

  it('have files of each suffix that is listed there', () => {
    const [, suffixes = ''] = /A suffix is a role:\n([^]*?)^- /m.exec(chapter) ?? [];
    const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT });
    const unused = namesIn(suffixes).filter(
      (suffix) => !files.some((f) => f.endsWith(`${suffix}.ts`)),
    );
    expect(suffixes).toContain('`.module`');
    expect(unused).toEqual([]);
  });
});
