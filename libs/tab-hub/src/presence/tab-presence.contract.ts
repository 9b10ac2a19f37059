import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import type { TabPresence } from './tab-presence.js';

/** How every TabPresence of ours tells different tools of one name apart; each adapter's spec runs it. */
export function describeNamesOfTools(open: () => Promise<OpenTabPresences>) {
  let opened: OpenTabPresences;
  let presence: TabPresence;
  let other: TabPresence;
  let user: string;
  let users = 0;

  beforeAll(async () => {
    opened = await open();
    [presence, other] = opened.replicas;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    user = `user-${++users}`;
  });

  const join = async (at: TabPresence, fields: Partial<Tab> = {}) => {
    const tab = newTab(fields);
    await at.add(user, tab);
    return tab;
  };
  /** Has a page offer tools of a name each, which do what is said. */
  const offer = (at: TabPresence, tab: Tab, tools: Record<string, string>) =>
    at.offer(
      user,
      { ...tab, toolNames: Object.keys(tools) },
      Object.entries(tools).map(([name, description]) => ({ name, description })),
    );
  const suffixed = async (at = other) =>
    Object.fromEntries(
      (await at.tools(user)).map(({ tab, suffixed: names = [] }) => [tab.id, names.toSorted()]),
    );

  it('leaves names alone that are offered once, or alike', async () => {
    const [one, two] = [await join(presence), await join(other)];
    await offer(presence, one, { 'a.b': 'x', c: 'x' });
    await offer(other, two, { a_b: 'x', d: 'y' });
    await expect(suffixed()).resolves.toEqual({ [one.id]: [], [two.id]: [] });
  });

  it('gives the suffix to the younger tab, which keeps it when it is alone', async () => {
    const [one, two] = [await join(presence), await join(other)];
    await offer(presence, one, { a: 'x', b: 'same' });
    await offer(other, two, { a: 'y', b: 'same' });
    await expect(suffixed()).resolves.toEqual({ [one.id]: [], [two.id]: ['a'] });
    await presence.remove(user, one.id);
    await expect(suffixed(presence)).resolves.toEqual({ [two.id]: ['a'] });
    await expect(presence.find(user, two.id)).resolves.toMatchObject({ suffixed: ['a'] });
    await offer(other, two, {});
    await offer(other, two, { a: 'z' });
    await expect(suffixed()).resolves.toEqual({ [two.id]: ['a'] });
  });

  it('goes by the time of connection, not of the offer, then by the id', async () => {
    const { connectedAt } = newTab();
    const ids = ['-b', 'A', '_', 'a'];
    const tabs: Tab[] = [];
    for (const id of ids) tabs.push(await join(presence, { id: `${id}-${user}`, connectedAt }));
    const [oldest, upper, , lower] = tabs as [Tab, Tab, Tab, Tab];
    await offer(presence, lower, { a: 'x' });
    await offer(presence, upper, { a: 'y' });
    await expect(suffixed()).resolves.toMatchObject({ [upper.id]: [], [lower.id]: ['a'] });
    // It is settled by now.
    await offer(presence, oldest, { a: 'z' });
    await expect(suffixed()).resolves.toMatchObject({ [oldest.id]: ['a'], [upper.id]: [] });
  });

  it('keeps the plain name for a tool as long as a tab offers it', async () => {
    const [first, second, third] = [await join(presence), await join(other), await join(presence)];
    await offer(presence, first, { a: 'x' });
    await offer(other, second, { a: 'y' });
    await offer(presence, third, { a: 'x' });
    await presence.remove(user, first.id);
    await expect(suffixed()).resolves.toEqual({ [second.id]: ['a'], [third.id]: [] });
    await offer(other, second, { a: 'x' });
    await expect(suffixed()).resolves.toEqual({ [second.id]: [], [third.id]: [] });
  });

  it('leaves the plain name to a new tab when its tool is gone', async () => {
    const [first, second] = [await join(presence), await join(other)];
    await offer(presence, first, { a: 'x' });
    await offer(other, second, { a: 'y' });
    await presence.remove(user, first.id);
    const [third, fourth] = [await join(presence), await join(other)];
    await offer(other, fourth, { a: 'z' });
    await offer(presence, third, { a: 'w' });
    await expect(suffixed()).resolves.toEqual({
      [second.id]: ['a'],
      [third.id]: ['a'],
      [fourth.id]: [],
    });
  });

  it('forgets the suffix with its tab', async () => {
    const [first, second] = [await join(presence), await join(other)];
    await offer(presence, first, { a: 'x' });
    await offer(other, second, { a: 'y' });
    await other.remove(user, second.id);
    await presence.remove(user, first.id);
    await other.add(user, second);
    await offer(other, second, { a: 'y' });
    await expect(suffixed()).resolves.toEqual({ [second.id]: [] });
  });

  it('leaves the plain name to one tool of any number that are offered at once', async () => {
    const tabs = await Promise.all(
      Array.from({ length: 16 }, (_, index) => join(index % 2 ? other : presence)),
    );
    await Promise.all(
      tabs.map((tab, index) => offer(index % 2 ? other : presence, tab, { a: `${index}` })),
    );
    const names = Object.values(await suffixed());
    expect(names.filter((own) => own.length === 0)).toHaveLength(1);
  });

  it('remembers a bounded number of names that a page has offered', async () => {
    const [first, second] = [await join(presence), await join(other)];
    for (let round = 0; round < 4; round += 1) {
      const names = Array.from({ length: 64 }, (_, at) => `${round}-${at}`);
      await offer(presence, first, Object.fromEntries(names.map((name) => [name, 'x'])));
      await offer(other, second, Object.fromEntries(names.map((name) => [name, 'y'])));
    }
    const { [second.id]: names = [] } = await suffixed();
    expect(names).toHaveLength(128);
    expect(names.filter((name) => name.startsWith('3-'))).toHaveLength(64);
  });

  it('takes names that every object has', async () => {
    const [first, second] = [await join(presence), await join(other)];
    const named = (does: string) => JSON.parse(`{"__proto__":"${does}","constructor":"${does}"}`);
    await offer(presence, first, named('x'));
    await offer(other, second, named('y'));
    await expect(suffixed()).resolves.toEqual({
      [first.id]: [],
      [second.id]: ['__proto__', 'constructor'],
    });
  });
}

export interface OpenTabPresences {
  /** The presences of two replicas, or twice the same where there can be only one. */
  readonly replicas: readonly [TabPresence, TabPresence];
  close(): Promise<void>;
}

let created = 0;

/** A tab that is younger than all before. */
export function newTab(fields: Partial<Tab> = {}): Tab {
  const connectedAt = new Date(Date.UTC(2026, 0, 1) + ++created).toISOString();
  return { id: `tab-${created}`, title: '', url: '', connectedAt, toolNames: [], ...fields };
}

/** A tool with every character that is allowed, and none that is not. */
export const newTool = (name: string): PageTool => ({
  name,
  title: '{"\u2028ä😀',
  description: `does ${name}`,
  inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"const":null}}}'),
  annotations: { readOnlyHint: true },
});

const toolNamesOf = (tools: readonly PageTool[]) => tools.map(({ name }) => name);

/** What every TabPresence must do; each adapter's spec runs it. */
export function describeTabPresence(open: () => Promise<OpenTabPresences>) {
  let opened: OpenTabPresences;
  let presence: TabPresence;
  let other: TabPresence;
  let user: string;
  let users = 0;

  beforeAll(async () => {
    opened = await open();
    [presence, other] = opened.replicas;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    user = `user-${++users}`;
  });

  const by = (index: number) => (index % 2 === 0 ? presence : other);
  const newTabs = (length: number) => Array.from({ length }, () => newTab());

  /** Has the page in a tab offer tools; returns what is known of the tab then. */
  async function offer(at: TabPresence, tab: Tab, ...names: string[]) {
    const tools = names.map((name) => newTool(name));
    const known = { ...tab, toolNames: toolNamesOf(tools) };
    await at.offer(user, known, tools);
    return { tab: known, tools, lastFrameAt: expect.any(Number) };
  }

  it('knows no tabs of an account that has none', async () => {
    await expect(presence.list(user)).resolves.toEqual([]);
    await expect(presence.tools(user)).resolves.toEqual([]);
  });

  it('lists the tabs of all replicas, the oldest first, at every replica', async () => {
    const expected = newTabs(20);
    const added = await Promise.all(
      expected.toReversed().map((tab, index) => by(index).add(user, tab)),
    );
    for (const [n, tab] of expected.toReversed().entries()) expect(added[n]).toContainEqual(tab);
    expect(added).toContainEqual(expected);
    await expect(presence.list(user)).resolves.toEqual(expected);
    await expect(other.list(user)).resolves.toEqual(expected);
  });

  it('has an order also for tabs of the same millisecond', async () => {
    const { connectedAt } = newTab();
    const expected = ['a', 'b', 'c', 'd'].map((id) => newTab({ id, connectedAt }));
    for (const index of [2, 0, 3, 1]) await by(index).add(user, expected[index] ?? newTab());
    await expect(presence.list(user)).resolves.toEqual(expected);
  });

  it('keeps every character of a tab', async () => {
    const tab = newTab({ id: '-a_Z9:', title: '{"\u2028ä😀\u0000:', url: 'x'.repeat(2_048) });
    await presence.add(user, tab);
    await expect(other.list(user)).resolves.toEqual([tab]);
    await presence.remove(user, tab.id);
    await expect(other.list(user)).resolves.toEqual([]);
  });

  it('keeps accounts apart', async () => {
    const [mine, theirs] = [newTab(), newTab()];
    await presence.add(user, mine);
    await presence.add(`${user}:b`, theirs);
    await presence.remove(user, theirs.id);
    await presence.update(user, { ...theirs, title: 'moved' });
    await expect(presence.list(user)).resolves.toEqual([mine]);
    await expect(presence.list(`${user}:b`)).resolves.toEqual([theirs]);
  });

  it('replaces what is known of a tab', async () => {
    const [first, second] = [newTab(), newTab()];
    await presence.add(user, first);
    await presence.add(user, second);
    const named = { ...first, title: 'Notes', url: 'https://example.com/notes' };
    await presence.update(user, named);
    await expect(other.list(user)).resolves.toEqual([named, second]);
  });

  it('does not bring a tab back that is gone', async () => {
    const tab = newTab();
    await presence.add(user, tab);
    await presence.remove(user, tab.id);
    await presence.update(user, { ...tab, title: 'late' });
    await expect(presence.list(user)).resolves.toEqual([]);
  });

  it('removes a tab once, and does nothing when it is not there', async () => {
    const [gone, stays] = [newTab(), newTab()];
    await presence.add(user, gone);
    await presence.add(user, stays);
    await Promise.all([presence.remove(user, gone.id), presence.remove(user, gone.id)]);
    await presence.remove(user, 'never-was');
    await expect(presence.list(user)).resolves.toEqual([stays]);
  });

  it('takes exactly the limit of twice as many parallel tabs', async () => {
    const wanted = newTabs(2 * MAX_TABS_PER_ACCOUNT);
    const added = await Promise.all(wanted.map((tab, index) => by(index).add(user, tab)));
    expect(added.filter(Boolean)).toHaveLength(MAX_TABS_PER_ACCOUNT);
    await expect(presence.list(user)).resolves.toEqual(wanted.filter((_, index) => added[index]));
  });

  it('has room for one more when one is gone', async () => {
    const full = newTabs(MAX_TABS_PER_ACCOUNT);
    await Promise.all(full.map((tab) => presence.add(user, tab)));
    const late = newTab();
    await expect(other.add(user, late)).resolves.toBeUndefined();
    await other.update(user, late);
    await presence.remove(user, full[0]?.id ?? '');
    const rival = newTab();
    const added = await Promise.all([other.add(user, late), presence.add(user, rival)]);
    expect(added.filter(Boolean)).toHaveLength(1);
    const winner = added[0] ? late : rival;
    await expect(other.list(user)).resolves.toEqual([...full.slice(1), winner]);
  });

  it('knows what the pages offer, wherever they are, and lists only the names', async () => {
    const [one, two, silent] = [newTab(), newTab(), newTab()];
    for (const [at, tab] of [
      [presence, one],
      [other, two],
      [presence, silent],
    ] as const) {
      await at.add(user, tab);
    }
    const offered = [
      await offer(presence, one, 'a.b', 'c'),
      await offer(other, two, 'a.b'),
      { tab: silent, tools: [], lastFrameAt: Date.parse(silent.connectedAt) },
    ];
    await expect(presence.tools(user)).resolves.toEqual(offered);
    await expect(other.tools(user)).resolves.toEqual(offered);
    await expect(other.list(user)).resolves.toEqual(offered.map(({ tab }) => tab));
    await expect(other.tools(`${user}:b`)).resolves.toEqual([]);
  });

  it('finds one tab with what its page offers, wherever it is, and no other', async () => {
    const [one, two] = [newTab(), newTab({ id: '-a_Z9:' })];
    await presence.add(user, one);
    await other.add(user, two);
    const offered = await offer(other, two, 'a.b');
    await expect(presence.find(user, two.id)).resolves.toEqual(offered);
    await expect(other.find(user, one.id)).resolves.toMatchObject({ tab: one, tools: [] });
    for (const id of ['Z9:', `${one.id}x`, '', '*']) {
      await expect(presence.find(user, id)).resolves.toBeUndefined();
    }
    await expect(presence.find(`${user}:b`, two.id)).resolves.toBeUndefined();
    await other.remove(user, two.id);
    await expect(presence.find(user, two.id)).resolves.toBeUndefined();
  });

  it('replaces what a page offers, by nothing too, and keeps it when the tab changes', async () => {
    const tab = newTab();
    await presence.add(user, tab);
    await offer(presence, tab, 'a', 'b');
    const { tab: known, tools } = await offer(presence, tab, 'c');
    const named = { ...known, title: 'Notes' };
    await presence.update(user, named);
    const kept = { tab: named, tools, lastFrameAt: expect.any(Number) };
    await expect(other.tools(user)).resolves.toEqual([kept]);
    await offer(presence, tab);
    const none = { tab, tools: [], lastFrameAt: expect.any(Number) };
    await expect(other.tools(user)).resolves.toEqual([none]);
  });

  it('forgets what a page offers with its tab, and takes nothing for one that is gone', async () => {
    const [gone, stays] = [newTab(), newTab()];
    for (const tab of [gone, stays]) await presence.add(user, tab);
    await offer(presence, gone, 'a');
    const kept = await offer(presence, stays, 'b');
    await presence.remove(user, gone.id);
    await offer(presence, gone, 'late');
    await presence.add(user, gone);
    const back = { tab: gone, tools: [], lastFrameAt: expect.any(Number) };
    await expect(other.tools(user)).resolves.toEqual([back, kept]);
  });

  it('has a tab and its tools of one moment, however many change them at once', async () => {
    const tabs = newTabs(8);
    await Promise.all(tabs.map((tab, index) => by(index).add(user, tab)));
    const change = (round: number) =>
      tabs.map((tab, index) => offer(by(index), tab, `tool-${round}`, `more-${index}`));
    const seen = await Promise.all(
      Array.from({ length: 10 }, async (_, round) => {
        await Promise.all(change(round));
        return by(round).tools(user);
      }),
    );
    for (const { tab, tools } of seen.flat()) expect(tab.toolNames).toEqual(toolNamesOf(tools));
    const last = await Promise.all(change(99));
    await expect(other.tools(user)).resolves.toEqual(last);
  });

  it('knows when a page last said something', async () => {
    const tab = newTab();
    await presence.add(user, tab);
    const before = Date.now();
    await presence.update(user, tab);
    const [known] = await other.tools(user);
    expect(known?.lastFrameAt).toBeGreaterThanOrEqual(before);
    expect(known?.lastFrameAt).toBeLessThanOrEqual(Date.now());
  });
}
