import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import { OfferNotes, type TabPresence } from './tab-presence.js';

/** Gives each tab that offers the next number of its account, and takes all numbers away when a page offers nothing. */
class Numbers extends OfferNotes {
  override decide(
    own: string,
    _tab: Tab,
    tools: readonly PageTool[],
    notes: ReadonlyMap<string, unknown>,
  ) {
    if (tools.length === 0) return new Map([...notes.keys()].map((key) => [key, undefined]));
    const last = Math.max(0, ...[...notes.values()].map(Number));
    return new Map([[own, last + 1]]);
  }
}

/** How every TabPresence of ours keeps notes on offers; each adapter's spec runs it. */
export function describeNotesOfOffers(open: () => Promise<OpenTabPresences>) {
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

  const join = async (at: TabPresence) => {
    const tab = newTab();
    await at.add(user, tab);
    return tab;
  };
  const offer = (at: TabPresence, tab: Tab, ...tools: PageTool[]) =>
    at.offer(user, tab, tools, new Numbers());
  const notes = async (at = other) => (await at.tools(user)).map(({ note }) => note);

  it('has what was decided as long as the tab is open', async () => {
    const [one, two] = [await join(presence), await join(other), await join(other)];
    await offer(presence, one, newTool('a'));
    await offer(other, two, newTool('a'));
    await offer(presence, one, newTool('b'));
    await presence.update(user, one);
    await expect(notes()).resolves.toEqual([3, 2, undefined]);
    await expect(presence.find(user, two.id)).resolves.toMatchObject({ note: 2 });
    await presence.remove(user, one.id);
    await offer(presence, one, newTool('late'));
    await expect(notes(presence)).resolves.toEqual([2, undefined]);
    await presence.add(user, one);
    await expect(notes()).resolves.toEqual([undefined, 2, undefined]);
  });

  it('changes what was decided for other tabs, too', async () => {
    const [one, two] = [await join(presence), await join(other)];
    await offer(presence, one, newTool('a'));
    await offer(other, two);
    await expect(notes()).resolves.toEqual([undefined, undefined]);
  });

  it('decides for one of any number of offers at once, and then for the next', async () => {
    const by = (index: number) => (index % 2 ? other : presence);
    const tabs = await Promise.all(Array.from({ length: 16 }, (_, index) => join(by(index))));
    await Promise.all(tabs.map((tab, index) => offer(by(index), tab, newTool('a'))));
    const numbers = (await notes()).toSorted((one, two) => Number(one) - Number(two));
    expect(numbers).toEqual(tabs.map((_, index) => index + 1));
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
  outputSchema: { type: 'object', properties: { done: { type: 'boolean' } } },
  annotations: { readOnlyHint: true, consequentialHint: true },
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
    await at.offer(user, known, tools, new OfferNotes());
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
    await expect(presence.has(user, two.id)).resolves.toBe(true);
    await expect(other.find(user, one.id)).resolves.toMatchObject({ tab: one, tools: [] });
    for (const id of ['Z9:', `${one.id}x`, '', '*']) {
      await expect(presence.find(user, id)).resolves.toBeUndefined();
      await expect(presence.has(user, id)).resolves.toBe(false);
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

  it('knows when a page last sent a frame', async () => {
    const tab = newTab();
    await presence.add(user, tab);
    const before = Date.now();
    await presence.update(user, tab);
    const [known] = await other.tools(user);
    expect(known?.lastFrameAt).toBeGreaterThanOrEqual(before);
    expect(known?.lastFrameAt).toBeLessThanOrEqual(Date.now());
  });
}
