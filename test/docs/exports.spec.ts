import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

/** Entries that docs/guides/page-tools.md and docs/guides/extending.md describe in other ways: a page's script, a file for jest. */
const NO_MODULES_OF_NAMES = new Set(['./client', './testing/jest-setup']);

const entries = Object.entries(
  (JSON.parse(read('package.json')) as { readonly exports: Readonly<Record<string, string>> })
    .exports,
).filter(([entry]) => !NO_MODULES_OF_NAMES.has(entry));

/** The names that docs/guides/extending.md lists, by entry. */
const documented = new Map(
  [...read('docs/guides/extending.md').matchAll(/^- `(gatehouse(?:\/[a-z-]+)?)`: (.+)$/gm)].map(
    ([, entry = '', list = '']) =>
      [
        entry.replace('gatehouse', '.'),
        [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      ] as const,
  ),
);

/** The exports of a file, types included. It may only use named exports: `export *` would add unlisted names. */
function exportsOf(path: string): string[] {
  const { statements } = ts.createSourceFile(path, read(path), ts.ScriptTarget.ESNext);
  return statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) throw new Error(`${path} does more than export`);
    const { exportClause } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause)) throw new Error(`${path} has export *`);
    return exportClause.elements.map(({ name }) => name.text);
  });
}

describe('the entries of the package', () => {
  it('are those that docs/guides/extending.md lists', () => {
    expect([...documented.keys()].toSorted()).toEqual(entries.map(([entry]) => entry).toSorted());
  });

  it.each(entries)('%s exports what is listed there, and nothing else', (entry, file) => {
    const source = file.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
    expect(exportsOf(source).toSorted()).toEqual([...(documented.get(entry) ?? [])].toSorted());
  });

  it.each(entries)('%s is what TypeScript takes in its place here', (entry, file) => {
    const source = file.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
    const { paths } = (
      JSON.parse(read('tsconfig.json')) as {
        readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
      }
    ).compilerOptions;
    const name = entry.replace('.', 'gatehouse');
    const [lib = ''] = paths[name] ?? paths['gatehouse/*'] ?? [];
    expect(lib.replace('*', entry.slice(2))).toBe(`./${source}`);
  });
});
