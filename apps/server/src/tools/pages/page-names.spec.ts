import { assert, constantFrom, property, record, string, uniqueArray } from 'fast-check';
import type { PageTool, TabTools } from '#libs/tab-hub';
import { namePageTools } from './page-names.js';

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
  [...namePageTools(lists)].map(([name, { sources }]) => [name, sources.map(({ tab }) => tab.id)]);

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
  ])('goes with the tab where another page offers it with another %s', (_what, other) => {
    const [first, second] = [
      tabOf('tab-one-1', tool('a')),
      tabOf('tab-two-2', tool('a', 'Does it.', other)),
    ];
    expect(named(first, second, tabOf('tab-three', tool('a')))).toEqual([
      ['page_a_tab-one-', ['tab-one-1']],
      ['page_a_tab-two-', ['tab-two-2']],
      ['page_a_tab-thre', ['tab-three']],
    ]);
  });

  it('is never taken from another by a page that knows how they are made', () => {
    const thief = tabOf('zzzzzzzz', tool('a_tab-one-'), tool('a', 'Else.'));
    const offers = namePageTools([thief, tabOf('tab-one-1', tool('a'))]);
    expect(offers.get('page_a_tab-one-')?.sources[0].tab.id).toBe('tab-one-1');
    expect([...offers.keys()]).toHaveLength(2);
  });

  it('is another for two of one page that are long and begin alike', () => {
    const long = 'n'.repeat(59);
    const names = named(tabOf('t1', tool(`${long}1`), tool(`${long}2`))).map(([name]) => name);
    expect(new Set(names).size).toBe(2);
  });

  it('is one that models take, for one tool each, the same in any order of tabs', () => {
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
        const offers = namePageTools(lists);
        for (const [name, offer] of offers) {
          expect(name).toMatch(/^page_[A-Za-z0-9_-]{1,59}$/);
          expect(new Set(offer.sources.map(({ tab }) => tab.id)).size).toBe(offer.sources.length);
        }
        expect([...namePageTools(lists.toReversed()).keys()].toSorted()).toEqual(
          [...offers.keys()].toSorted(),
        );
      }),
    );
  });
});
