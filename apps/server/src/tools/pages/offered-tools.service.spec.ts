import type { ScreenedJson, ScreeningService } from '#libs/code-runner';
import { AccountTurns } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import type { McpCaller } from '#libs/mcp';
import type { PageTool, TabsService, TabTools } from '#libs/tab-hub';
import { OfferedToolsService } from './offered-tools.service.js';

const tool = (description: string): PageTool => ({ name: description, description });
const caller = { user: { id: 'ann' }, app: 'Robot' } as McpCaller;

describe('OfferedToolsService', () => {
  let lists: TabTools[];
  let asked: string[];
  let isDown: boolean;
  let answer: (() => Promise<boolean>) | undefined;
  let turns: AccountTurns;
  let offered: OfferedToolsService;
  let reads: number;

  const offer = (...tools: PageTool[]) => {
    lists = [offeredBy('t', tools)];
  };
  const offeredBy = (id: string, tools: PageTool[]): TabTools => {
    const tab = { id, title: '', url: '', connectedAt: '', toolNames: [] };
    return { tab, tools, lastFrameAt: 0 };
  };
  const names = async (each = caller) =>
    offered.read(each, (read) => read.flatMap(({ tools }) => tools.map(({ name }) => name)));

  beforeEach(() => {
    [asked, isDown, turns, reads] = [[], false, new AccountTurns(), 0];
    answer = undefined;
    const allows = async ({ value }: ScreenedJson) => {
      const text = JSON.stringify(value);
      asked.push(text);
      if (answer) return answer();
      if (isDown) throw new Error('connect ECONNREFUSED');
      return !text.includes('rude');
    };
    offered = new OfferedToolsService(
      {
        tools: async () => {
          reads += 1;
          return lists;
        },
        find: async (_userId: string, id: string) => lists.find(({ tab }) => tab.id === id),
      } as unknown as TabsService,
      { allows } as unknown as ScreeningService,
      turns,
    );
  });

  it('screens a list once, also for many who ask at the same time', async () => {
    offer(tool('a'), tool('b'));
    expect(await Promise.all(Array.from({ length: 8 }, () => names()))).toContainEqual(['a', 'b']);
    expect(asked).toHaveLength(1);
  });

  it('screens nothing again because it comes in another list, or of another tab', async () => {
    lists = ['one', 'two', 'three'].map((id) => offeredBy(id, [tool('a'), tool('rude')]));
    expect(await names()).toEqual(['a', 'a', 'a']);
    expect(asked).toHaveLength(3);
    offer(tool('a'), tool('b'), tool('rude'));
    expect(await names()).toEqual(['a', 'b']);
    expect(asked.slice(3)).toEqual([JSON.stringify([tool('b')])]);
  });

  it('keeps the screener from an account whose pages offer ever new tools, and no other', async () => {
    for (let n = 0; n < 400; n += 1) {
      offer(tool(`rude ${n}`), tool(`kind ${n}`));
      await names();
    }
    expect(asked.length).toBeLessThan(200);
    expect(await names({ ...caller, user: { ...caller.user, id: 'bob' } })).toEqual(['kind 399']);
  });

  it('leaves out the tools whose words may not pass, and no others', async () => {
    offer(tool('a'), tool('rude'), tool('b'));
    expect(await names()).toEqual(['a', 'b']);
    expect(await names()).toEqual(['a', 'b']);
    expect(asked).toHaveLength(4);
  });

  it('offers nothing while nothing can be screened, and asks again', async () => {
    offer(tool('a'));
    isDown = true;
    expect(await names()).toEqual([]);
    isDown = false;
    expect(await names()).toEqual(['a']);
  });

  it('reads one tab without the others', async () => {
    lists = [offeredBy('one', [tool('a')]), offeredBy('two', [tool('b'), tool('rude')])];
    expect(await offered.find('two', caller)).toMatchObject({ tools: [{ name: 'b' }] });
    expect(await offered.find('three', caller)).toBeUndefined();
    expect(asked.filter((text) => text.includes('"a"'))).toEqual([]);
  });

  it('waits for the turn of its account, and of no other', async () => {
    const bob = { ...caller, user: { ...caller.user, id: 'bob' } };
    offer(tool('a'));
    await turns.take('ann');
    const endsAt = performance.now() + 50;
    while (performance.now() < endsAt);
    const done: string[] = [];
    await Promise.all(
      [caller, caller, bob].map(async (each, at) => {
        await (at === 1 ? offered.find('t', each) : names(each));
        done.push(each.user.id);
      }),
    );
    expect(done).toEqual(['bob', 'ann', 'ann']);
  });

  it('goes on for others while the tools of many accounts wait for the screener', async () => {
    const accounts = 'ann bob cid dan eve fay gus'.split(' ');
    const of = (id: string) => names({ ...caller, user: { id } } as McpCaller);
    offer(tool('a'));
    await Promise.all(accounts.map(of));
    const goOn = Promise.withResolvers<boolean>();
    answer = () => goOn.promise;
    lists.push(offeredBy('slow', [tool('b')]));
    const slow = accounts.slice(0, 6).map(of);
    await eventually(() => expect(asked).toHaveLength(accounts.length + 6));
    lists.pop();
    await expect(of('gus')).resolves.toEqual(['a']);
    goOn.resolve(true);
    await expect(Promise.all(slow)).resolves.toEqual(Array(6).fill(['a', 'b']));
  });

  it('reads all tabs of an account for one call after the other, and goes on after a failure', async () => {
    offer(tool('a'));
    const readsAtUse: number[] = [];
    const uses = Array.from({ length: 4 }, (_, n) =>
      offered.read(caller, () => {
        readsAtUse.push(reads);
        if (n === 0) throw new Error('no');
      }),
    );
    expect(await Promise.allSettled(uses)).toMatchObject([{ status: 'rejected' }, {}, {}, {}]);
    expect(readsAtUse).toEqual([1, 2, 3, 4]);
  });
});
