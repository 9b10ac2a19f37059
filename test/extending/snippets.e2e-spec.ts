import { globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Lines without indentation, because documents show a part of a class at the margin. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/** The sources that this folder's specs run, and the type annotation that all of them begin with. */
const SOURCES = [
  ...globSync('examples/team/**/*.ts', { cwd: root }),
  'apps/server/src/app.module-definition.ts',
].map((path) => linesOf(read(path)));

const TEXT = ['docs/guides/extending.md', 'README.md'].map(read).join('\n');
const SNIPPETS = [...TEXT.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet = '']) =>
  linesOf(snippet),
);

describe('docs/guides/extending.md and README.md', () => {
  it('has snippets', () => {
    expect(SNIPPETS.length).toBeGreaterThan(8);
  });

  it.each(SNIPPETS)('has a snippet that runs: %s', (snippet) => {
    expect(SOURCES.filter((source) => `\n${source}\n`.includes(`\n${snippet}\n`))).toHaveLength(1);
  });
});
