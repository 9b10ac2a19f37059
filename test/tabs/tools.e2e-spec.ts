import { ConnectedApp } from '../mcp/connected-app.js';
import { eventually } from '#libs/platform/testing';
import { useReplicas } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';
const MAX_TABS = 32;

interface Listed {
  readonly tabs: readonly { readonly id: string; readonly toolNames: readonly string[] }[];
}

interface Offers {
  readonly tabs: readonly { readonly id: string; readonly tools: readonly object[] }[];
}

/** The app calls one process; the tabs are connected to both if there are two. */
describe(`what pages offer (${replicated ? 'two replicas' : 'one process'})`, () => {
  const [here, there] = useReplicas();
  let app: ConnectedApp;
  let tab: TabClient;
  let other: TabClient;

  const openThere = () => TabClient.open({ port: there.port, origin: here.origin }, app.browser);
  const tool = (name: string) => ({ name, description: `What ${name} does.` });
  const offers = async () => {
    const { tabs } = (await app.at(there).have('list_tabs')) as unknown as Offers;
    return tabs.map(({ id, tools }) => [id, tools] as const);
  };
  const shows = (of: TabClient, names: readonly string[]) => (data: Listed) =>
    data.tabs.some(({ id, toolNames }) => id === of.id && toolNames.join() === names.join());

  beforeEach(async () => {
    app = await ConnectedApp.connect(here);
    tab = await TabClient.open(here, app.browser);
    other = await openThere();
  });
  afterEach(() => Promise.all([tab.close(), other.close()]));

  it('a list replaces the one before; other tabs see its names only (contract: Tab hub)', async () => {
    expect(other.tabs.map(({ toolNames }) => toolNames)).toEqual([[], []]);
    const full = { ...tool('paint.wall'), title: 'Paint' };
    tab.say('tools', { tools: [full, tool('wash')] });
    await other.next<Listed>('tabs', shows(tab, ['paint.wall', 'wash']));
    expect(await offers()).toEqual([
      [tab.id, [full, tool('wash')]],
      [other.id, []],
    ]);
    tab.say('tools', { tools: [tool('wash')] });
    await other.next<Listed>('tabs', shows(tab, ['wash']));
    expect(await offers()).toEqual([
      [tab.id, [tool('wash')]],
      [other.id, []],
    ]);
    expect(JSON.stringify(other.frames)).not.toContain('What');
    tab.say('tools', { tools: [] });
    await other.next<Listed>('tabs', shows(tab, []));
  });

  it('a list that is not in order changes nothing (contract: Tab hub)', async () => {
    tab.say('tools', { tools: [tool('paint')] });
    await other.next<Listed>('tabs', shows(tab, ['paint']));
    const large = { type: 'object', description: 'x'.repeat(9_000) };
    for (const tools of [
      undefined,
      Array.from({ length: 65 }, (_, n) => tool(`t${n}`)),
      [{ ...tool('a'), inputSchema: large }],
      [tool('a.b'), tool('a_b')],
      [{ name: 'a' }],
    ]) {
      const { code } = await tab.ask<{ code: string }>('tools', { tools }, 'error');
      expect(code).toBe('bad_message');
    }
    expect(await offers()).toEqual([
      [tab.id, [tool('paint')]],
      [other.id, []],
    ]);
  });

  it('a tool with consequences is listed as destructive, wherever its tab is (contract: Page tools)', async () => {
    const annotations = { readOnlyHint: true, consequentialHint: true };
    tab.say('tools', { tools: [{ ...tool('pay'), annotations }] });
    await other.next<Listed>('tabs', shows(tab, ['pay']));
    const { result } = (await app.at(there).send('tools/list')).json<{
      result: { tools: { name: string; annotations: object }[] };
    }>();
    expect(result.tools.find(({ name }) => name === 'page_pay')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: false,
    });
    const wrong = { ...tool('pay'), annotations: { consequentialHint: 'yes' } };
    const { code } = await tab.ask<{ code: string }>('tools', { tools: [wrong] }, 'error');
    expect(code).toBe('bad_message');
  });

  it('an error names the tool, and the rest is taken without it (contract: Tab hub)', async () => {
    const bad = { type: 'object', properties: { a: { type: 'text' } } };
    for (const member of ['inputSchema', 'outputSchema']) {
      const tools = [tool('paint'), { ...tool('bad'), [member]: bad }];
      await expect(tab.ask('tools', { tools }, 'error')).resolves.toEqual({
        code: 'bad_message',
        message: expect.stringContaining(`data.tools[1].${member} cannot be used`),
        tool: 'bad',
      });
    }
    tab.say('tools', { tools: [tool('paint')] });
    await other.next<Listed>('tabs', shows(tab, ['paint']));
  });

  it('a tool that models cannot be given is told to its page, once for each list (contract: Tab hub)', async () => {
    const needs = { ...tool('needs'), inputSchema: { type: 'object', required: ['a key'] } };
    await expect(tab.ask('tools', { tools: [needs] }, 'error')).resolves.toEqual({
      code: 'unlisted',
      message:
        'the tool needs is not listed for apps: it requires the property "a key"; models take names of 1 to 64 of A-Za-z0-9_.-',
      tool: 'needs',
    });
    await other.next<Listed>('tabs', shows(tab, ['needs']));
    tab.say('tools', { tools: [needs] });
    tab.say('tools', { tools: [needs, tool('paint')] });
    await other.next<Listed>('tabs', shows(tab, ['needs', 'paint']));
    await tab.settle();
    expect(tab.received('error')).toHaveLength(2);
  });

  it('what a page offers goes with its tab (contract: Tab hub)', async () => {
    const leaving = await TabClient.open(here, app.browser);
    leaving.say('tools', { tools: [tool('__proto__')] });
    await other.next<Listed>('tabs', shows(leaving, ['__proto__']));
    leaving.socket.terminate();
    await eventually(async () => expect(await offers()).toHaveLength(2));
    expect((await offers()).flatMap(([, tools]) => tools)).toEqual([]);
  });

  it('a list that changes as fast as it can arrives in the end (contract: Tab hub)', async () => {
    for (let n = 1; n <= 60; n += 1) tab.say('tools', { tools: [tool(`paint-${n}`)] });
    await other.next<Listed>('tabs', shows(tab, ['paint-60']));
    await tab.settle();
    expect(tab.received('error')).toEqual([]);
    expect((await offers())[0]).toEqual([tab.id, [tool('paint-60')]]);
  });

  it('as many names as there can be leave every tab connected (contract: Tab hub)', async () => {
    const more = Array.from({ length: MAX_TABS - 3 }, (_, n) =>
      n % 2 === 0 ? TabClient.open(here, app.browser) : openThere(),
    );
    const all = [tab, other, ...(await Promise.all(more))];
    const names = (n: number) =>
      Array.from({ length: 64 }, (_, m) => `${m}-${n}-`.padEnd(64, 'x').padEnd(128, 'y'));
    for (const [n, page] of all.entries()) {
      page.say('hello', { title: '"'.repeat(200), url: '"'.repeat(2048) });
      page.say('tools', { tools: names(n).map((name) => ({ name, description: 'd' })) });
    }
    const last = await TabClient.open(here, app.browser);
    all.push(last);
    await Promise.all(
      all.map((page) =>
        page.until(
          () => page.tabs.filter(({ toolNames }) => toolNames.length === 64).length === 31,
          'all names',
        ),
      ),
    );
    await Promise.all(all.map((page) => page.settle()));
    await Promise.all(all.slice(2).map((page) => page.close()));
  });
});
