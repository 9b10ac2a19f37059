import type { ScreenedJson, ScreeningService } from '#libs/code-runner';
import type { McpCaller } from '#libs/oauth';
import type { PageTool, TabsService, TabTools } from '#libs/tab-hub';
import { OfferedToolsService } from './offered-tools.service.js';

const tool = (description: string): PageTool => ({ name: description, description });
const caller = { user: { id: 'ann' }, app: 'Robot' } as McpCaller;

describe('OfferedToolsService', () => {
  let lists: TabTools[];
  let asked: string[];
  let isDown: boolean;
  let offered: OfferedToolsService;

  const offer = (...tools: PageTool[]) => {
    const tab = { id: 't', title: '', url: '', connectedAt: '', toolNames: [] };
    lists = [{ tab, tools, lastFrameAt: 0 }];
  };
  const names = async () =>
    (await offered.list(caller)).flatMap(({ tools }) => tools.map(({ name }) => name));

  beforeEach(() => {
    [asked, isDown] = [[], false];
    const allows = async ({ value }: ScreenedJson) => {
      const text = JSON.stringify(value);
      asked.push(text);
      if (isDown) throw new Error('connect ECONNREFUSED');
      return !text.includes('rude');
    };
    offered = new OfferedToolsService(
      { tools: async () => lists } as unknown as TabsService,
      { allows } as unknown as ScreeningService,
    );
  });

  it('screens a list once, also for many who ask at the same time', async () => {
    offer(tool('a'), tool('b'));
    expect(await Promise.all(Array.from({ length: 8 }, names))).toContainEqual(['a', 'b']);
    expect(asked).toHaveLength(1);
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
});
