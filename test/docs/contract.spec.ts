import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CITED = /\(contract: ([^)]+)\)/g;

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

const sections = [...read('docs/about/contract.md').matchAll(/^## (.+)$/gm)].map(
  ([, name]) => name,
);
const specs = globSync('{apps,libs,test}/**/*spec.ts', { cwd: ROOT });
const citedIn = (path: string) => [...read(path).matchAll(CITED)].map(([, name]) => name);

describe('docs/about/contract.md', () => {
  it('has every section that a title names, and no section that none names', () => {
    const cited = new Set(specs.filter((path) => !path.includes('/docs/')).flatMap(citedIn));
    expect([...cited].toSorted()).toEqual(sections.toSorted());
  });
});
