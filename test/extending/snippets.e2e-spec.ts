import { globSync } from 'node:fs';
import { linesOf, read, ROOT, snippetsIn } from './doc-snippets.js';

/** The sources that this folder's specs run, and the type annotation that all of them begin with. */
const SOURCES = [
  ...globSync('examples/team/**/*.ts', { cwd: ROOT }),
  'apps/server/src/app.module-definition.ts',
].map((path) => linesOf(read(path)));

const SNIPPETS = snippetsIn(['docs/guides/extending.md', 'README.md'].map(read).join('\n'));

describe('docs/guides/extending.md and README.md', () => {
  it('has snippets', () => {
    expect(SNIPPETS.length).toBeGreaterThan(8);
  });

  it.each(SNIPPETS)('has a snippet that runs: %s', (snippet) => {
    expect(SOURCES.filter((source) => `\n${source}\n`.includes(`\n${snippet}\n`))).toHaveLength(1);
  });
});
