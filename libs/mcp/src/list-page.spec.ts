import { type ListEntry, pageOf } from './list-page.js';

const entry = (name: string, size = 100) => ({ name, description: 'x'.repeat(size) });
const names = (entries: readonly ListEntry[]) => entries.map(({ name }) => name).join('');
const list = (letters: string, size?: number) => [...letters].map((letter) => entry(letter, size));

/** The bytes of `count` entries of 100 characters, with what stands between them. */
const roomFor = (count: number) => count * (JSON.stringify(entry('a')).length + 1);

const page = (all: readonly ListEntry[], cursor?: unknown, bytes = roomFor(2)) =>
  pageOf('tools/list', all, cursor, bytes);

describe('a page of a list', () => {
  it.each([
    ['nothing', ''],
    ['what fits to the byte', 'ab'],
  ])('is the last one with %s', (_what, letters) => {
    expect(page(list(letters))).toEqual({ entries: list(letters) });
  });

  it('ends before what does not fit, and the next one begins there', () => {
    const all = list('abcde');
    const found = [];
    for (let next: unknown = ''; next !== undefined;) {
      const { entries, nextCursor } = page(all, next);
      found.push(names(entries));
      next = nextCursor;
    }
    expect(found).toEqual(['ab', 'cd', 'e']);
    expect(names(page(all, undefined, roomFor(2) - 1).entries)).toBe('a');
  });

  it('reads the length of an entry once', () => {
    const toJSON = jest.fn(() => 'x');
    const all = [{ name: 'a', toJSON }];
    expect([page(all), page(all)].map(({ entries }) => names(entries))).toEqual(['a', 'a']);
    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  it('counts bytes, not characters', () => {
    const all = [...'abc'].map((name) => ({ name, description: '\u4e16'.repeat(50) }));
    expect(names(page(all).entries)).toBe('a');
  });

  it('has one entry that is larger than a page', () => {
    const all = [entry('a', 1_000), entry('b')];
    const { entries, nextCursor } = page(all);
    expect(names(entries)).toBe('a');
    expect(page(all, nextCursor)).toEqual({ entries: [entry('b')] });
  });

  it('begins after the same entry, whatever came before it meanwhile, and where it is gone', () => {
    const { nextCursor } = page(list('zbdfh'));
    expect(names(page(list('zabcdfh'), nextCursor, roomFor(9)).entries)).toBe('cdfh');
    const later = page(list('zbdfh'), nextCursor).nextCursor;
    expect(names(page(list('zbdgh'), later, roomFor(9)).entries)).toBe('gh');
  });

  it('tells resources apart by their addresses', () => {
    const all = ['a', 'b', 'c'].map((id) => ({ name: 'same', uri: `tabs://${id}` }));
    const { nextCursor } = page(all, '', 1);
    expect(page(all, nextCursor, roomFor(9))).toEqual({ entries: all.slice(1) });
    const templates = ['a', 'b', 'c'].map((id) => ({ name: 'same', uriTemplate: `${id}://{x}` }));
    const second = page(templates, page(templates, '', 1).nextCursor, 1);
    expect(page(templates, second.nextCursor)).toEqual({ entries: templates.slice(2) });
  });

  it.each([
    ['a word', 'next'],
    ['a number', 7],
    ['one of another list', pageOf('prompts/list', list('ab'), '', 1).nextCursor],
    ['one without a name', Buffer.from('{"tools/list":7}').toString('base64url')],
    ['one that is no object', Buffer.from('null').toString('base64url')],
  ])('-32602 | the cursor is %s', (_what, cursor) => {
    expect(() => page(list('ab'), cursor)).toThrow(
      expect.objectContaining({
        code: -32_602,
        message: expect.stringContaining('no such cursor'),
      }),
    );
  });
});
