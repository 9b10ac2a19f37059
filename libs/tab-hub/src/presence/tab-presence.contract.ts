import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import type { TabPresence } from './tab-presence.js';

export interface OpenTabPresences {
  /** The presences of two replicas, or twice the same where there can be only one. */
  readonly replicas: readonly [TabPresence, TabPresence];
  close(): Promise<void>;
}

let tabs = 0;

/** A tab that is younger than all before. */
export function newTab(fields: Partial<Tab> = {}): Tab {
  const connectedAt = new Date(Date.UTC(2026, 0, 1) + ++tabs).toISOString();
  return { id: `tab-${tabs}`, title: '', url: '', connectedAt, toolNames: [], ...fields };
}

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

  it('knows no tabs of an account that has none', async () => {
    await expect(presence.list(user)).resolves.toEqual([]);
  });

  it('lists the tabs of all replicas, the oldest first, whoever asks', async () => {
    const expected = newTabs(20);
    const added = await Promise.all(
      expected.toReversed().map((tab, index) => by(index).add(user, tab)),
    );
    expect(new Set(added)).toEqual(new Set([true]));
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
    await expect(other.add(user, late)).resolves.toBe(false);
    await other.update(user, late);
    await presence.remove(user, full[0]?.id ?? '');
    const rival = newTab();
    const added = await Promise.all([other.add(user, late), presence.add(user, rival)]);
    expect(added.filter(Boolean)).toHaveLength(1);
    const winner = added[0] ? late : rival;
    await expect(other.list(user)).resolves.toEqual([...full.slice(1), winner]);
  });
}
