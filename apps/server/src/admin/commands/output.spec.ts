import { listed, type Output, outputText, shown } from './output.js';

const escape = '\u001B[2J\u202Eevil\u009B';

const list = (items: Record<string, string | null>[], next: string | null = null) =>
  listed({ columns: ['id', 'displayName'], columnsIfAny: ['deadAt'] }, { items, next });
const toText = (output: Output) => outputText(output, false);
const toJson = (output: Output) => outputText(output, true);

describe('output of the command line', () => {
  it('a list is a table, with where it goes on', () => {
    const items = [
      { id: 'a', displayName: 'Ann', hidden: 'x' },
      { id: 'bcd', displayName: null, hidden: null },
    ];
    expect(toText(list(items, 'bcd'))).toBe(
      'ID   DISPLAY NAME\na    Ann\nbcd  -\n\nThere are more: --after bcd\n',
    );
    expect(toText(list([{ id: 'a', displayName: 'Ann', deadAt: 'now' }]))).toBe(
      'ID  DISPLAY NAME  DEAD AT\na   Ann           now\n',
    );
    expect(toJson(list(items, 'bcd'))).toBe(`${JSON.stringify({ items, next: 'bcd' })}\n`);
  });

  it('an empty list says so', () => {
    expect([toText(list([])), toJson(list([]))]).toEqual([
      'There are none.\n',
      '{"items":[],"next":null}\n',
    ]);
  });

  it('a record is a line a member', () => {
    const record = { id: 'a', redirectUris: ['x', 'y'], sessions: 2 };
    expect(toText(shown(record))).toBe('ID             a\nREDIRECT URIS  x y\nSESSIONS       2\n');
  });

  it('a name steers no terminal, and means the same in JSON', () => {
    const output = list([{ id: 'a', displayName: escape }]);
    expect(toText(output)).toContain('?[2J?evil?\n');
    expect(toJson(output)).toMatch(/^[\n\u0020-\u007E]*$/);
    expect(JSON.parse(toJson(output)).items[0].displayName).toBe(escape);
  });
});
