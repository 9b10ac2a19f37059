import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScreenedJson, ScreeningService } from '#libs/code-runner';
import { AccountTurns, SchemaChecks } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import type { McpCaller, ToolRun } from '#libs/mcp';
import {
  type PageTool,
  TabGoneError,
  type TabsService,
  type TabTools,
  UnknownTabError,
} from '#libs/tab-hub';
import { PageCallsService } from '../page-calls.service.js';
import { TabRefusalsService } from '../tab-refusals.service.js';
import { OfferedToolsService } from './offered-tools.service.js';
import { McpPageTools } from './mcp-page-tools.js';

const PAINT: PageTool = {
  name: 'canvas.paint',
  description: 'Paints.',
  inputSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
};
const caller = {
  user: { id: 'ann' },
  app: 'Robot',
  scopes: ['tabs:write'],
} as unknown as McpCaller;
const run = {
  signal: new AbortController().signal,
  progress: () => undefined,
} as unknown as ToolRun;

type AppCall = Parameters<TabsService['call']>[1];

describe('tools of pages (contract: Page tools)', () => {
  let lists: TabTools[];
  let calls: AppCall[];
  let screened: unknown[];
  let reads: number;
  let answer: () => Promise<unknown>;
  /** Ids of tabs that close after they were listed: before a call is screened, and during the screening. */
  let closed: { readonly before: string[]; readonly meanwhile: string[] };
  let onScreened: () => void;
  let checks: SchemaChecks;
  let tools: McpPageTools;

  const open = (id: string, lastFrameAt: number, ...offered: PageTool[]) => {
    const toolNames = offered.map(({ name }) => name);
    const tab = { id, title: `Title "${id}"`, url: '', connectedAt: '', toolNames };
    lists.push({ tab, tools: offered, lastFrameAt });
  };
  const use = async (name: string, input: unknown) => {
    const tool = await tools.find(name, { ...caller });
    const mismatch = await tool.checkInput(input);
    if (mismatch !== undefined) throw new Error(mismatch);
    return tool.call(input, caller, run);
  };

  beforeEach(() => {
    [lists, calls, screened, reads] = [[], [], [], 0];
    closed = { before: [], meanwhile: [] };
    answer = async () => 'done';
    onScreened = () => {};
    const tabs = {
      list: async () => lists.map(({ tab }) => tab),
      find: async (_userId: string, id: string) => lists.find(({ tab }) => tab.id === id),
      tools: async () => {
        reads += 1;
        return lists;
      },
      call: async (_userId: string, call: AppCall, before: () => Promise<void>) => {
        if (closed.before.includes(call.tab)) throw new UnknownTabError();
        await before();
        if (closed.meanwhile.includes(call.tab)) throw new UnknownTabError();
        calls.push(call);
        return answer();
      },
    } as unknown as TabsService;
    const screening = {
      allows: async () => true,
      checkJson: async ({ value }: ScreenedJson) => {
        screened.push(value);
        onScreened();
      },
    } as unknown as ScreeningService;
    const turns = new AccountTurns();
    const offered = new OfferedToolsService(tabs, screening, turns);
    // The second of a call may pass on a busy machine.
    checks = new (class extends SchemaChecks {
      protected override readonly maxCallMs = 30_000;
    })();
    const refusals = new TabRefusalsService(tabs);
    const asking = new PageCallsService(tabs, screening, refusals, checks, turns);
    tools = new McpPageTools(tabs, offered, asking, checks);
  });
  afterEach(() => checks.onModuleDestroy());

  it('are those of the pages that were used last, where there are too many', async () => {
    const many = (of: string) =>
      Array.from({ length: 64 }, (_, at) => ({ ...PAINT, name: `${of}${at}` }));
    open('t1', 9, ...many('a'));
    for (const [id, lastFrameAt] of Object.entries({ b: 1, c: 2, d: 3, e: 4 })) {
      open(id, lastFrameAt, ...many(id));
    }
    const names = (await tools.list(caller)).map(({ name }) => name);
    expect(names).toHaveLength(256);
    expect(names.filter((name) => name.startsWith('page_b'))).toEqual([]);
    expect(names).toEqual(names.toSorted());
  });

  it('go to the next page where the one that sent the last frame closed, for one price', async () => {
    open('t1', 1, PAINT);
    open('t2', 4, PAINT);
    open('t3', 3, PAINT);
    open('t4', 2, { ...PAINT, description: 'Paints otherwise.' });
    closed.before.push('t2');
    closed.meanwhile.push('t3');
    expect(await use('page_canvas_paint', { colour: 'red' })).toEqual({ value: 'done' });
    expect(calls).toEqual([expect.objectContaining({ tab: 't1', params: { colour: 'red' } })]);
    expect(screened).toEqual([['canvas.paint', { colour: 'red' }]]);
    closed.before.push('t1');
    await expect(use('page_canvas_paint', { colour: 'red' })).rejects.toThrow(
      'No open page of the user offers this tool now; they offer page_canvas_paint_t4.',
    );
    const named = use('page_canvas_paint', { colour: 'red', tab: 't2' });
    await expect(named).rejects.toThrow('no open tab with this id');
  });

  it('go to no page that is unknown after the screening, as what it offers is', async () => {
    open('t1', 1, PAINT);
    onScreened = () => void lists.splice(0);
    await expect(use('page_canvas_paint', { colour: 'red' })).rejects.toThrow('No open page');
    expect([calls, screened.length]).toEqual([[], 1]);
  });

  it('go to no other page where the one that was asked closed', async () => {
    open('t1', 1, PAINT);
    open('t2', 2, PAINT);
    answer = async () => {
      throw new TabGoneError();
    };
    await expect(use('page_canvas_paint', { colour: 'red' })).rejects.toThrow('was closed before');
    expect(calls).toHaveLength(1);
  });

  it('keep their names, and are reached by the plain one where the tab is named', async () => {
    const inputSchema = {
      type: 'object',
      properties: { size: { type: 'integer' } },
      required: ['size'],
    };
    open('t1', 1, PAINT);
    open('t2', 2, { ...PAINT, name: 'canvas_paint', inputSchema });
    const names = async () => (await tools.list(caller)).map(({ name }) => name);
    expect(await names()).toEqual(['page_canvas_paint', 'page_canvas_paint_t2']);
    await use('page_canvas_paint', { colour: 'red' });
    await use('page_canvas_paint', { size: 1, tab: 't2' });
    await use('page_canvas_paint_t2', { size: 2 });
    await use('page_canvas_paint_t1', { colour: 'blue' });
    expect(calls.map(({ tab, method }) => [tab, method])).toEqual([
      ['t1', 'canvas.paint'],
      ['t2', 'canvas_paint'],
      ['t2', 'canvas_paint'],
      ['t1', 'canvas.paint'],
    ]);
    const mismatch = use('page_canvas_paint', { colour: 'red', tab: 't2' });
    await expect(mismatch).rejects.toThrow('size is missing');
    await expect(use('page_canvas_paint_t2', { size: 1, tab: 't1' })).rejects.toThrow(
      'these offer it: t2.',
    );
  });

  it('are checked in turn, so that no account keeps others from theirs', async () => {
    const options = Array.from({ length: 500 }, (_, at) => ({ const: at }));
    const slow = { type: 'object', properties: { a: { items: { anyOf: options } } } };
    open('t1', 1, { ...PAINT, inputSchema: slow });
    const input = { a: Array.from({ length: 10_000 }, (_, at) => at) };
    const done: string[] = [];
    const check = async (id: string) => {
      const tool = await tools.find('page_canvas_paint', {
        ...caller,
        user: { ...caller.user, id },
      });
      expect(await tool.checkInput(input)).toBeDefined();
      done.push(id);
    };
    await Promise.all(['ann', 'ann', 'ann', 'bob'].map(check));
    expect(done.slice(0, 2)).toContain('bob');
  });

  it('let others come between large answers that arrive at once', async () => {
    open('t1', 1, { ...PAINT, inputSchema: { type: 'object' } });
    const answered = Promise.withResolvers<unknown>();
    answer = () => answered.promise;
    const ended: unknown[] = [];
    const many = Array.from({ length: 6 }, async () =>
      ended.push(await use('page_canvas_paint', {})),
    );
    await eventually(() => expect(calls).toHaveLength(6));
    answered.resolve(Array.from({ length: 50_000 }, () => ({})));
    let most = 0;
    for (let before = 0; ended.length < 6; before = ended.length) {
      await nextTurn();
      most = Math.max(most, ended.length - before);
    }
    await Promise.all(many);
    expect(most).toBe(1);
  });

  it('are read once for all calls of a request', async () => {
    open('t1', 1, PAINT);
    const [first, second] = [{ ...caller }, { ...caller }];
    const finds = Array.from({ length: 32 }, () => tools.find('page_canvas_paint', first));
    await Promise.all([...finds, tools.find('page_other', first)]);
    expect(reads).toBe(1);
    await tools.find('page_canvas_paint', second);
    expect(reads).toBe(2);
  });

  it('say which tabs are left when one went away meanwhile, without titles for whom these are not', async () => {
    open('t1', 2, PAINT);
    open('t2', 1, PAINT);
    answer = async () => {
      throw new TabGoneError();
    };
    await expect(use('page_canvas_paint', { colour: 'red' })).rejects.toThrow(/Open are: t2\.$/);
    const reader = { ...caller, scopes: ['tabs:write', 'tabs:read'] };
    const tool = await tools.find('page_canvas_paint', reader);
    await expect(tool.call({ colour: 'red' }, reader, run)).rejects.toThrow('t2 "Title \\"t2\\"".');
  });
});
