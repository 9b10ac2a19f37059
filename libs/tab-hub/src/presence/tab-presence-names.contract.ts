import type { Tab } from '../protocol/tab.js';
import { newTab, type OpenTabPresences } from './tab-presence.contract.js';
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

  it('goes by the time of connection, whoever offered first, then by the id', async () => {
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
