import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const files = (...patterns: string[]) => globSync(patterns, { cwd: ROOT });
/** What the first group of a pattern matches in a text. */
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
const namesIn = (text: string) => found(text, /`([^`]+)`/g);

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as Manifest;
const entries = Object.keys(manifest.exports);
const contributing = read('CONTRIBUTING.md');
const releases = read('docs/about/releases.md');
const extending = read('docs/guides/extending.md');

/** A page's script and a file for jest, whose exports are not listed by name. */
const WITHOUT_NAMES = new Set(['./client', './testing/jest-setup']);
const namedEntries = entries.filter((entry) => !WITHOUT_NAMES.has(entry));
const entryLines = new Map<string, readonly string[]>(
  [...extending.matchAll(/^- `gatehouse(\/[a-z-]+)?`: (.+)$/gm)].map(
    ([, path = '', list = '']) => [`.${path}`, found(list, /`(\w+)`/g)] as const,
  ),
);

/** The exports of an entry, types included. `export *` would add names that are listed nowhere. */
function exportsOf(entry: string): string[] {
  const path = (manifest.exports[entry] ?? '').replace(/^\.\/dist\/(.+)\.js$/, '$1.ts');
  const { statements } = ts.createSourceFile(path, read(path), ts.ScriptTarget.ESNext);
  return statements.flatMap((statement) => {
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (!clause || !ts.isNamedExports(clause))
      throw new Error(`${path} does more than name exports`);
    return clause.elements.map(({ name }) => name.text);
  });
}

/** The folders below `src` of each lib and app in CONTRIBUTING.md, as `lib folder`. */
const folderRows = found(contributing, /^(\| `(?:apps|libs)\/.+)$/gm).flatMap((row) => {
  const [, where = '', , folders = ''] = row.split('|');
  const [lib = ''] = namesIn(where);
  return [''].concat(namesIn(folders)).map((folder) => `${lib} ${folder}`);
});
const inAnyLib = namesIn(/^Beside these, a lib may have (.+?)\./m.exec(contributing)?.[1] ?? '');
const folders = files('{apps,libs}/*/').flatMap((path) => {
  const lib = path.replace(/\/$/, '');
  const names = files(`${lib}/src/*/`).map((folder) => basename(folder));
  const own = names.filter((name) => !inAnyLib.includes(name));
  return [''].concat(own).map((name) => `${lib} ${name}`);
});

/** Statuses that http.md has and openapi.yaml leaves out: what is off, and the protocol's own checks. */
const IN_WORDS_ONLY: Readonly<Record<string, readonly string[]>> = {
  'POST /svc/oauth/register': ['404'],
  'GET /svc/jwks': ['404'],
  'POST /svc/introspect': ['404'],
  'POST /svc/mcp': ['404', '406'],
};
const { paths } = parse(read('docs/reference/openapi.yaml')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses?: object }>>>>;
};
const statusesOf = (route: string, statuses: readonly string[]) =>
  [route, ...statuses.toSorted()].join(' ');
const described = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([method]) => ['get', 'post', 'patch', 'delete'].includes(method))
    .map(([method, { responses = {} }]) => {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, '<$1>')}`;
      const refusals = Object.keys(responses).filter((status) => Number(status) >= 400);
      return statusesOf(route, [...refusals, ...(IN_WORDS_ONLY[route] ?? [])]);
    }),
);
const [routes = ''] = read('docs/reference/http.md').split('\n## Statuses\n');
const documentedRoutes = [...routes.matchAll(/^\| (`[A-Z]+ \/.+?`) +\|.*\|([^|]*)\|$/gm)].flatMap(
  ([, names = '', statuses = '']) =>
    found(names, /`([A-Z]+ \/svc\/[^`…]*)`/g).map((route) =>
      statusesOf(route, statuses.match(/\b[45]\d\d\b/g) ?? []),
    ),
);

describe('documents', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'docs/about/contract.md has the sections that titles of specs name',
      found(read('docs/about/contract.md'), /^## (.+)$/gm),
      [
        ...new Set(
          files('{apps,libs,test}/**/*spec.ts')
            .filter((path) => !path.includes('/docs/'))
            .flatMap((path) => found(read(path), /\(contract: ([^)]+)\)/g)),
        ),
      ],
    ],
    ['CONTRIBUTING.md has the folders of every lib and app', folderRows, folders],
    [
      'docs/reference/http.md has the routes and refusals of openapi.yaml',
      documentedRoutes,
      described,
    ],
    [
      'docs/guides/extending.md has the entries of the package',
      [...entryLines.keys()],
      namedEntries,
    ],
    ...namedEntries.map((entry): [string, readonly string[], readonly string[]] => [
      `docs/guides/extending.md has the exports of ${entry}`,
      entryLines.get(entry) ?? [],
      exportsOf(entry),
    ]),
    [
      'docs/about/releases.md has the entries of the package',
      found(
        /^- what the entries of the package export,.*?: (.+)$/m.exec(releases)?.[1] ?? '',
        /`(?:gatehouse)?(\/[a-z/-]+|)`/g,
      ).map((path) => `.${path}`),
      entries,
    ],
    [
      'CHANGELOG.md begins with the version of package.json and package-lock.json',
      found(read('CHANGELOG.md'), /^## \[(.+?)\]/gm).slice(0, 2),
      ['Unreleased', lock.version === manifest.version ? manifest.version : 'another version'],
    ],
  ])('%s, and no others', (_what, documented, actual) => {
    expect(documented.length).toBeGreaterThan(0);
    expect(documented.toSorted()).toEqual(actual.toSorted());
  });

  it('docs/about/releases.md has every command', () => {
    const commands = found(read('apps/server/src/cli/gatehouse.ts'), /\badd\('(\w+)',/g);
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) expect(releases).toContain(`\`${command}\``);
  });

  it('CONTRIBUTING.md has suffixes that files have', () => {
    const [, suffixes = ''] = /A suffix is a role:\n([^]*?)^- /m.exec(contributing) ?? [];
    const sources = files('{apps,libs}/*/src/**/*.ts');
    const unused = namesIn(suffixes).filter(
      (suffix) => !sources.some((path) => path.endsWith(`${suffix}.ts`)),
    );
    expect([suffixes.includes('`.module`'), unused]).toEqual([true, []]);
  });
});
