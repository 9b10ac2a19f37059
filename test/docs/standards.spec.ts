import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../../docs/about/', import.meta.url));
const ROW = /^- \*\*([\d.]+)\*\*(?: to \*\*[\d.]*?(\d+)\*\*)?([^]*?)(?=\n- |\n\n|$(?![^]))/gm;

const read = (name: string) => readFileSync(`${DOCS}${name}`, 'utf8');

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

/** `2.1`, or each of `3.5.6` to `3.5.7`. */
function expand(first: string, last: string | undefined) {
  const section = first.slice(0, first.lastIndexOf('.') + 1);
  const from = Number(first.slice(section.length));
  const to = last === undefined ? from : Number(last);
  return Array.from({ length: to - from + 1 }, (_, index) => `${section}${from + index}`);
}

/** The requirements of a list, each with the chapter of security.md that it points to. */
const requirementsOf = (document: string) =>
  [...read(document).matchAll(ROW)].flatMap(([, first = '', last, text = '']) =>
    expand(first, last).map((id) => ({ id, chapter: /security\.md#([^)]+)/.exec(text)?.[1] })),
  );

/** The requirements that chapters of security.md name, as `chapter id`. */
function namedIn(standard: string) {
  const named: string[] = [];
  let chapter = '';
  for (const block of read('security.md').split('\n\n')) {
    chapter = /^#{2,3} (.+)$/m.exec(block)?.[1] ?? chapter;
    const list = new RegExp(`_${standard}_:([^_]+)`).exec(block)?.[1] ?? '';
    for (const [id] of list.matchAll(/\d+(?:\.\d+)+/g)) named.push(`${anchorOf(chapter)} ${id}`);
  }
  return named.toSorted();
}

describe('lists of requirements', () => {
  it.each([
    { document: 'asvs-5.md', standard: 'ASVS 5.0' },
    { document: 'rfc-9700.md', standard: 'RFC 9700' },
  ])('$document points to the chapters of security.md that name it', ({ document, standard }) => {
    const pointed = requirementsOf(document).flatMap(({ id, chapter }) =>
      chapter === undefined ? [] : [`${chapter} ${id}`],
    );
    expect(namedIn(standard)).toEqual([...new Set(pointed)].toSorted());
  });

  it('of ASVS 5.0 each of the 345 requirements is there once', () => {
    const ids = requirementsOf('asvs-5.md').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(345);
  });
});
