import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMED = /`((?:apps|libs|test|bench|bin|docs|examples|ops)\/[^`\s*<…]+)`/g;

/** Made at run time, or in a team's own repository. */
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
