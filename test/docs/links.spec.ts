import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'examples/*/*.md'], {
  cwd: ROOT,
});
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '');

/** The anchors that code forges derive from headings. */
const anchorsOf = (path: string) =>
  [...withoutCode(read(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('links of the documents', () => {
  it.each(documents)('lead somewhere: %s', (document) => {
    const broken = [...withoutCode(read(document)).matchAll(LINK)].filter(([, path, anchor]) => {
      const target = path ? join(dirname(document), path) : document;
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
