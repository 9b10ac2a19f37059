import { Logger } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import type { CallApprovalService } from './call-approval.service.js';
import { CallsService } from './call.service.js';
import { invalidParams, ToolError } from './errors.js';
import type { McpOptions } from './mcp.module-definition.js';
import { NO_REPLY, type QuestionsService } from './question.js';
import type { AccountTool } from './tool.js';
import { callableTool } from './tool.service.js';

const caller = {
  user: { id: 'ann', displayName: 'Ann' },
  app: 'Robot',
  grantId: 'g',
  scopes: [],
  ask: [],
  mayAskFor: () => false,
  pausedBy: null,
  dailyCredits: null,
  props: { userId: 'ann', app: 'Robot' },
};
const questions = { open: () => NO_REPLY } as unknown as QuestionsService;
const from = { clientId: 'client', origin: 'https://gate.example' };

describe('a call that takes too long', () => {
  let events: SecurityEvent[];
  let works: Promise<unknown>[];
  let stop: AbortController;
  let service: CallsService;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    jest.useFakeTimers();
    [events, works, stop] = [[], [], new AbortController()];
    const security = new SecurityEventsService();
    security.listen((event) => void events.push(event));
    const approvals = { concerns: () => false } as unknown as CallApprovalService;
    service = new CallsService({} as McpOptions, security, questions, approvals);
  });
  afterEach(() => jest.useRealTimers());

  const call = (run: AccountTool['call']) => {
    const tool = { scope: '', checkInput: () => undefined, call: run };
    const shown = { name: 'slow', label: 'slow', shown: { name: 'slow', title: 'Slow' } };
    const onWork = (work: Promise<unknown>) => works.push(work);
    const progress = () => undefined;
    const slots = { leave: () => true, enter: () => true };
    const lookAgain = async () => caller;
    const asking = { slots, isBatch: false, acceptsEvents: false, lookAgain };
    const context = { caller, from, stop, reply: NO_REPLY, progress, onWork, ...asking };
    return service.call(callableTool(tool, shown), {}, context);
  };
  const outcomes = () => events.map(({ detail }) => detail);

  it('is stopped after 50 seconds, and answered, whether or not its tool observes the signal', async () => {
    const end = Promise.withResolvers<string>();
    const answer = call(() => end.promise);
    await jest.advanceTimersByTimeAsync(49_999);
    expect(stop.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(stop.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(await answer).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('longer than 50 seconds') }],
    });
    expect(outcomes()).toEqual([]);
    end.resolve('late');
    await Promise.all(works);
    expect(outcomes()).toEqual(['slow: refused (took too long)']);
  });

  it('is recorded as cancelled, also where its tool returns or throws', async () => {
    for (const ending of [async () => 'late', () => Promise.reject(new Error('stopped'))]) {
      stop = new AbortController();
      const gate = Promise.withResolvers<void>();
      const answer = call(async () => gate.promise.then(ending));
      stop.abort();
      await answer;
      gate.resolve();
    }
    await Promise.all(works);
    expect(outcomes()).toEqual(['slow: cancelled', 'slow: cancelled']);
  });

  it('is told with what it noted, and as it is known without', async () => {
    const page = { host: 'shop.example', title: 'Shop' };
    await call(async () => 'done');
    await call(async (_input, _caller, { notes }) =>
      Object.assign(notes ?? {}, { name: 'add', title: 'Add', page, approved: 'once' }),
    );
    await Promise.all(works);
    const known = { tool: 'slow', outcome: 'done', kind: 'tool', name: 'slow', title: 'Slow' };
    expect(events).toMatchObject([
      { called: { ...known, page: null, approved: null }, facts: known },
      { called: { ...known, name: 'add', title: 'Add', page, approved: 'once' } },
    ]);
    expect(events[0]?.facts).toEqual(known);
    expect(events[1]?.facts).toEqual({
      ...known,
      name: 'add',
      title: 'Add',
      page: 'shop.example',
      pageTitle: 'Shop',
      approved: 'once',
    });
  });

  it('is told with the app, and why it was refused', async () => {
    await call(async () => 'done');
    for (const error of [
      new ToolError('not today'),
      new ToolError('later', { reason: 'no credits' }),
      invalidParams('no such member'),
    ]) {
      await call(() => Promise.reject(error)).catch(() => undefined);
    }
    await Promise.all(works);
    expect(events.map(({ app, facts }) => [app, facts?.reason])).toEqual([
      ['Robot', undefined],
      ['Robot', 'refused by its code'],
      ['Robot', 'no credits'],
      ['Robot', 'bad arguments'],
    ]);
    expect(outcomes()[1]).toBe('slow: refused (refused by its code)');
  });

  it('leaves no timer behind when it is done in time', async () => {
    await call(async () => 'done');
    await Promise.all(works);
    expect(jest.getTimerCount()).toBe(0);
    expect(outcomes()).toEqual(['slow: done']);
  });
});
