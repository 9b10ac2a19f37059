import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMED = /`((?:apps|libs|test|bench|bin|docs|examples|ops)\/[^`\s<…]+)`/g;
const FILE = /`([\w-][\w./-]*\.(?:ts|mjs|mts|yml))`/g;
const BUILT = /\bdist\/((?:apps|libs)\/[\w./-]+)\.js\b/g;

/** Created at run time, or in a team's own repository. */
const ELSEWHERE = new Set(['ops/certificate/certificate.pem']);

/** Made by the build of something else than a source of that name. */
const OUTCOMES = new Set(['libs/ui-templates/bundle/client']);

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const filesLike = (...patterns: string[]) => globSync(patterns, { cwd: ROOT });
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, path = '']) => path);

const documents = filesLike('*.md', 'docs/**/*.md', 'bench/*.md', 'examples/*/*.md');
const files = [
  ...filesLike('*.{ts,mjs,yml}'),
  ...filesLike('{apps,libs,test,bin,docs,ops}/**/*.{ts,mjs,mts,yml}'),
  ...filesLike('{bench,examples}/*/{,src/,test/}*.{ts,mjs,yml}', 'bench/*.mjs'),
].map((path) => `/${path}`);

describe('files that documents name', () => {
  it.each(documents)('are there: %s', (document) => {
    const missing = found(read(document), NAMED).filter(
      (path) => !ELSEWHERE.has(path) && filesLike(path).length === 0,
    );
    expect(missing).toEqual([]);
  });

  it.each(documents)('are there, without their folder too: %s', (document) => {
    const missing = found(read(document), FILE).filter(
      (path) => !files.some((file) => file.endsWith(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });

  it('are there, where what is built of them is run', () => {
    const texts = [...documents, ...filesLike('*.{json,yml}', 'Dockerfile', 'bench/*.mjs')];
    texts.push(...filesLike('bench/{driver,rows}/*', 'ops/**/*.{yml,conf}', 'bin/*.mjs'));
    const built = texts.flatMap((text) => found(read(text), BUILT));
    const missing = built.filter((path) => !OUTCOMES.has(path) && !existsSync(`${ROOT}${path}.ts`));
    expect(built.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

describe('the limits in docs/about/security.md', () => {
  const MADE = /\bnew (?:Semaphore|TokenBuckets|InProcessRateLimiter|HeldBytes)\(/;
  const [, table = ''] = /\n### Limits\n([^]*?)\n## /.exec(read('docs/about/security.md')) ?? [];
  const limiting = filesLike('{apps,libs}/*/src/**/*.ts').filter(
    (path) =>
      !/\.(?:spec|testbed|module)\.ts$|\/rate-limiter\./.test(path) && MADE.test(read(path)),
  );

  it.each(limiting)('have those of %s', (path) => {
    const classes = found(read(path), /^export class (\w+)/gm);
    expect(classes.filter((name) => table.includes(`\`${name}\``))).not.toEqual([]);
  });

  it('name classes that exist', () => {
    const sources = filesLike('{apps,libs}/*/src/**/*.ts').map(read).join('\n');
    const named = found(table, /^\|[^|]*\|[^|]*\| `(\w+)`/gm);
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((name) => !sources.includes(`class ${name} `))).toEqual([]);
  });
});

describe('the proxy in front, in docs/guides/operating.md', () => {
  const pathsIn = (text = '') => [...text.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);

  it('lists each path of the contract', () => {
    const [, promised] =
      /^## Paths\n([^]*?)\n\n[A-Z]/m.exec(
        read('docs/about/contract.md').replace(/^The service answers.*\n\n/m, ''),
      ) ?? [];
    const [, listed] =
      /^- The service's paths are (.+?); /m.exec(read('docs/guides/operating.md')) ?? [];
    const prefixes = pathsIn(listed).map((path) => path.replace('…', ''));
    const paths = pathsIn(promised).filter((path) => path !== '/');
    expect(paths.length).toBeGreaterThan(12);
    expect(paths.filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)))).toEqual([]);
  });
});
