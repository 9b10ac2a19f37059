import { globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** As lines without indentation, since a part of a class stands at the margin in a page. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/** What the specs of this folder run, and the type that all of it begins with. */
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
