import { assert, constantFrom, property, record, string, uniqueArray } from 'fast-check';
import type { JsonObject } from '#libs/platform';
import type { PageTool, Tab, TabTools } from '#libs/tab-hub';
import { namePageTools, namesAtRoot, PageNameNotes } from './page-names.js';

describe('namesAtRoot', () => {
  const tab = { properties: { tab: { type: 'string' } } };

  it.each<[string, object]>([
    ['as a property', tab],
    ['where a branch has it', { allOf: [{}, { anyOf: [{}, { not: { oneOf: [tab] } }] }] }],
    ['where a condition has it', JSON.parse('{"if":{},"then":{"required":["tab"]}}') as object],
    [
      'where a reference leads',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#b' }, b: { $anchor: 'b', ...tab } } },
    ],
    [
      'where a reference leads through a list',
      { $ref: '#/$defs/a/anyOf/1', $defs: { a: { anyOf: [{}, tab] } } },
    ],
    ['where it is required', { required: ['tab'] }],
    ['where others depend on it', { dependentSchemas: { tab: {} } }],
    ['where it depends on others', { dependentSchemas: { a: tab } }],
  ])('has a name %s', (_where, schema) => {
    expect(namesAtRoot(schema as JsonObject).has('tab')).toBe(true);
  });

  it.each<[string, object]>([
    ['that a member of it has', { properties: { a: tab } }],
    ['of its elements', { items: tab }],
    ['that nothing leads to', { $defs: { a: tab } }],
    ['that is a value', { enum: ['tab'], default: tab }],
    ['in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#' } } }],
  ])('has no name %s', (_where, schema) => {
    expect(namesAtRoot(schema as JsonObject).has('tab')).toBe(false);
  });
});

const tabOf = (id: string, ...tools: PageTool[]): TabTools => ({
  tab: { id, title: '', url: '', connectedAt: '', toolNames: tools.map(({ name }) => name) },
  tools,
  lastFrameAt: 0,
});
const tool = (name: string, description = 'Does it.', more: Partial<PageTool> = {}): PageTool => ({
  name,
  description,
  ...more,
});
const named = (...lists: TabTools[]) =>
  [...namePageTools(lists).listed]
    .map(([name, { sources }]) => [name, sources.map(({ tab }) => tab.id)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

describe('the name of a page tool', () => {
  it.each([
    ['add', 'page_add'],
    ['list.items-2', 'page_list_items-2'],
    ['run_code', 'page_run_code'],
    ['__proto__', 'page___proto__'],
    ['constructor', 'page_constructor'],
    ['page_add', 'page_page_add'],
    ['n'.repeat(128), `page_${'n'.repeat(59)}`],
  ])('of %s is %s', (own, name) => {
    expect(named(tabOf('t1', tool(own)))).toEqual([[name, ['t1']]]);
  });

  it('is one for what several pages offer alike, whatever the order of members', () => {
    const one = tool('a.b', 'Same.', { inputSchema: { type: 'object', required: ['x'] } });
    const same = tool('a_b', 'Same.', { inputSchema: { required: ['x'], type: 'object' } });
    expect(named(tabOf('t1', one), tabOf('t2', same))).toEqual([['page_a_b', ['t1', 't2']]]);
  });

  it.each<[string, Partial<PageTool>]>([
    ['title', { title: 'Other' }],
    ['description', { description: 'Other.' }],
    ['schema', { inputSchema: { type: 'object', properties: {} } }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
  ])('goes with the tab where another page offers it with another %s', (_what, other) => {
    const [first, second] = [
      tabOf('tab-one-1', tool('a')),
      tabOf('tab-two-2', tool('a', 'Does it.', other)),
    ];
    expect(named(first, second, tabOf('tab-three', tool('a')))).toEqual([
      ['page_a', ['tab-one-1', 'tab-three']],
      ['page_a_tab-two-', ['tab-two-2']],
    ]);
    expect(named(second, first, tabOf('tab-three', tool('a')))).toEqual([
      ['page_a', ['tab-two-2']],
      ['page_a_tab-one-', ['tab-one-1']],
      ['page_a_tab-thre', ['tab-three']],
    ]);
  });

  it('keeps the suffix that it had, also alone', () => {
    const second = {
      ...tabOf('tab-two-2', tool('a.b', 'Else.')),
      note: { suffixed: ['a_b', 'c'] },
    };
    expect(named(second)).toEqual([['page_a_b_tab-two-', ['tab-two-2']]]);
    const later = tabOf('tab-three', tool('a_b'));
    expect(named(second, later)).toEqual([
      ['page_a_b', ['tab-three']],
      ['page_a_b_tab-two-', ['tab-two-2']],
    ]);
    expect(named(second, tabOf('tab-three', tool('a_b', 'Else.')))).toEqual([
      ['page_a_b', ['tab-two-2', 'tab-three']],
    ]);
  });

  it('with the suffix is good for each open tab, and reaches that alone', () => {
    const { listed, find } = namePageTools([
      tabOf('tab-one-1', tool('a')),
      tabOf('tab-two-2', tool('a')),
    ]);
    expect([...listed.keys()]).toEqual(['page_a']);
    expect(find('page_a_tab-two-')?.sources.map(({ tab }) => tab.id)).toEqual(['tab-two-2']);
    expect(find('page_a_tab-two-')?.reachable).toHaveLength(1);
    expect(find('page_a_tab-gone')).toBeUndefined();
  });

  it('without it reaches every tab that offers anything by it, where that is named', () => {
    const second = { ...tabOf('tab-two-2', tool('a', 'Else.')), note: { suffixed: ['a'] } };
    const both = namePageTools([tabOf('tab-one-1', tool('a')), second]).find('page_a');
    expect(both?.sources.map(({ tab }) => tab.id)).toEqual(['tab-one-1']);
    expect(both?.reachable.map(({ tab }) => tab.id)).toEqual(['tab-one-1', 'tab-two-2']);
    const alone = namePageTools([second]).find('page_a');
    expect([alone?.sources, alone?.reachable.length]).toEqual([[], 1]);
  });

  it('is never taken from another by a page that knows how they are made', () => {
    const thief = tabOf('zzzzzzzz', tool('a_tab-one-'), tool('a', 'Else.'));
    const { listed, find } = namePageTools([thief, tabOf('tab-one-1', tool('a'))]);
    expect(listed.get('page_a_tab-one-')?.sources[0].tab.id).toBe('tab-one-1');
    expect(listed.size).toBe(2);
    const alike = namePageTools([
      tabOf('zzzzzzzz', tool('a_tab-one-')),
      tabOf('tab-one-1', tool('a')),
    ]);
    expect(alike.find('page_a_tab-one-')?.sources[0]?.tab.id).toBe('tab-one-1');
    expect(find('page_a')?.sources[0]?.tab.id).toBe('zzzzzzzz');
  });

  it('is another for two of one page that are long and begin alike', () => {
    const long = 'n'.repeat(59);
    const two = [tool(`${long}1`), tool(`${long}2`)];
    const names = named(tabOf('t1', ...two)).map(([name]) => name);
    expect(new Set(names).size).toBe(2);
    const others = [tool(`${long}1`, 'Else.'), tool(`${long}2`, 'Else.')];
    expect(named(tabOf('t1', ...two), tabOf('t2', ...others))).toHaveLength(4);
  });

  it('is one that models take, for each tool once', () => {
    const tools = uniqueArray(
      record({
        name: string({
          unit: constantFrom('a', '.', '_', '-', 'b'.repeat(30)),
          minLength: 1,
          maxLength: 4,
        }),
        description: constantFrom('x', 'y'),
      }),
      { selector: ({ name }) => name.replaceAll('.', '_').slice(0, 64), maxLength: 5 },
    );
    assert(
      property(tools, tools, tools, (one, two, three) => {
        const lists = [
          tabOf('tab-one-1', ...one),
          tabOf('tab-two-2', ...two),
          tabOf('tab-three', ...three),
        ];
        const { listed, find } = namePageTools(lists);
        for (const [name, offer] of listed) {
          expect(name).toMatch(/^page_[A-Za-z0-9_-]{1,59}$/);
          expect(new Set(offer.sources.map(({ tab }) => tab.id)).size).toBe(offer.sources.length);
          expect(find(name)?.sources).toEqual(offer.sources);
        }
        const shown = [...listed.values()].flatMap(({ sources }) => sources);
        expect(shown).toHaveLength(lists.flatMap((list) => list.tools).length);
      }),
    );
  });
});

describe('the suffix of a name', () => {
  let notes: Map<string, unknown>;

  beforeEach(() => {
    notes = new Map();
  });

  /** Ids of tabs in the order in which they were opened. */
  const OPENED = ['first', 'second', 'third', 'fourth'] as const;
  const opened = (id: string, at = OPENED.findIndex((one) => one === id)): Tab => ({
    id,
    title: '',
    url: '',
    connectedAt: `2026-01-01T00:00:0${at}.000Z`,
    toolNames: [],
  });
  /** Has the page in a tab offer tools of a name each, which do what is said. */
  const offer = (tab: Tab | string, tools: Record<string, string>) => {
    const of = typeof tab === 'string' ? opened(tab) : tab;
    const list = Object.entries(tools).map(([name, does]) => tool(name, does));
    for (const [key, note] of new PageNameNotes().decide(of.id, of, list, notes)) {
      if (note === undefined) notes.delete(key);
      else notes.set(key, JSON.parse(JSON.stringify(note)));
    }
  };
  const suffixed = () =>
    Object.fromEntries(
      [...notes].map(([id, note]) => [id, (note as { suffixed: string[] }).suffixed.toSorted()]),
    );

  it('is not needed where a name is offered once, or alike', () => {
    offer('first', { 'a.b': 'x', c: 'x' });
    offer('second', { a_b: 'x', d: 'y' });
    expect(suffixed()).toEqual({ first: [], second: [] });
  });

  it('goes to the younger tab, which keeps it when it is alone', () => {
    offer('first', { a: 'x', b: 'same' });
    offer('second', { a: 'y', b: 'same' });
    expect(suffixed()).toEqual({ first: [], second: ['a'] });
    notes.delete('first');
    offer('second', {});
    offer('second', { a: 'z' });
    expect(suffixed()).toEqual({ second: ['a'] });
  });

  it('goes by the time of connection, not of the offer, then by the id', () => {
    offer(opened('_', 0), { a: 'x' });
    offer(opened('A', 0), { a: 'y' });
    expect(suffixed()).toEqual({ _: ['a'], A: [] });
    // It is settled by now.
    offer(opened('-', 0), { a: 'z' });
    expect(suffixed()).toMatchObject({ '-': ['a'], A: [] });
  });

  it('leaves the plain name to a tool as long as a tab offers it', () => {
    offer('first', { a: 'x' });
    offer('second', { a: 'y' });
    offer('third', { a: 'x' });
    notes.delete('first');
    expect(suffixed()).toEqual({ second: ['a'], third: [] });
    offer('second', { a: 'x' });
    expect(suffixed()).toEqual({ second: [], third: [] });
  });

  it('leaves the plain name to a new tab when its tool is gone', () => {
    offer('first', { a: 'x' });
    offer('second', { a: 'y' });
    notes.delete('first');
    offer('fourth', { a: 'z' });
    offer('third', { a: 'w' });
    expect(suffixed()).toEqual({ second: ['a'], third: ['a'], fourth: [] });
  });

  it('is remembered for a bounded number of names that a page has offered', () => {
    for (let round = 0; round < 4; round += 1) {
      const names = Array.from({ length: 64 }, (_, at) => `${round}-${at}`);
      offer('first', Object.fromEntries(names.map((name) => [name, 'x'])));
      offer('second', Object.fromEntries(names.map((name) => [name, 'y'])));
    }
    const { second = [] } = suffixed();
    expect(second).toHaveLength(128);
    expect(second.filter((name) => name.startsWith('3-'))).toHaveLength(64);
  });

  it('is for names that every object has, and for the first of two that are cut alike', () => {
    const long = 'n'.repeat(59);
    const ofObjects = (does: string) =>
      JSON.parse(`{"__proto__":"${does}","constructor":"${does}"}`);
    offer('first', { ...ofObjects('x'), [`${long}1`]: 'x', [`${long}2`]: 'y' });
    offer('second', { ...ofObjects('y'), [long]: 'x' });
    expect(suffixed()).toEqual({ first: [], second: ['__proto__', 'constructor'] });
  });
});
