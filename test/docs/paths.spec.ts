import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMED = /`((?:apps|libs|test|bench|bin|docs|examples|ops)\/[^`\s*<…]+)`/g;

/** Created at run time, or in a team's own repository. */
const ELSEWHERE = new Set(['ops/certificate/certificate.pem']);

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((document) => [document]);

describe('files that documents name', () => {
  it.each(documents)('are there: %s', (document) => {
    const text = readFileSync(`${ROOT}${document}`, 'utf8');
    const named = [...text.matchAll(NAMED)].map(([, path = '']) => path);
    const missing = named.filter((path) => !ELSEWHERE.has(path) && !existsSync(`${ROOT}${path}`));
    expect(missing).toEqual([]);
  });
});

describe('the proxy in front, in docs/guides/operating.md', () => {
  const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
  const pathsIn = (text = '') => [...text.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);

  it('is told of each path of the contract', () => {
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
