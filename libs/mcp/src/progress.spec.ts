import { Injectable } from '@nestjs/common';
import type { McpCaller, ToolRun } from './call.js';
import { ToolError } from './errors.js';
import { ProgressReports } from './progress.js';
import { allMessagesOf, MCP_ERAS } from './testbed/messages.testbed.js';
import { toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpTool } from './tool.js';

describe('reports of progress', () => {
  let sent: object[];
  let reports: ProgressReports;

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    reports = new ProgressReports('token', ({ params }: { params?: object }) =>
      sent.push({ ...params }),
    );
  });
  afterEach(() => jest.useRealTimers());

  it('say how far a call is, under the token of its client', () => {
    reports.report(1);
    reports.report(2, 4);
    reports.report(3, 4, 'almost');
    expect(sent).toEqual([
      { progressToken: 'token', progress: 1 },
      { progressToken: 'token', progress: 2, total: 4 },
      { progressToken: 'token', progress: 3, total: 4, message: 'almost' },
    ]);
  });

  it('leave out what does not increase, and what is no number', () => {
    for (const done of [0, -1, 0, 0.5, 0.5, Number.NaN, Infinity, 0.4])
      reports.report(done, Number.NaN);
    expect(sent.map((message) => Reflect.get(message, 'progress'))).toEqual([0, 0.5]);
    expect(sent[0]).not.toHaveProperty('total');
  });

  it('are ten a second, and the last of those that come faster', () => {
    for (let done = 1; done <= 1_000; done += 1) reports.report(done);
    expect(sent).toHaveLength(10);
    jest.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(11);
    expect(sent.at(-1)).toMatchObject({ progress: 1_000 });
    for (let done = 1_001; done <= 2_000; done += 1) reports.report(done);
    expect(sent).toHaveLength(20);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('have short messages, without half characters', () => {
    reports.report(1, 2, `${'x'.repeat(999)}😀`);
    expect(sent).toMatchObject([{ message: `${'x'.repeat(999)}\ufffd` }]);
  });
});

interface Input {
  readonly steps?: readonly number[];
  readonly ending?: 'refused';
}

@Injectable()
class Working {
  late: ToolRun['progress'] | undefined;

  @McpTool(toolOf('work'))
  work({ steps = [], ending }: Input, _caller: McpCaller, { progress }: ToolRun) {
    this.late = progress;
    for (const step of steps) progress(step, 3, `step ${step}`);
    if (ending === 'refused') throw new ToolError('no');
    return 'worked';
  }
}

const result = { content: [{ type: 'text', text: 'worked' }] };
const EVENTS = 'text/event-stream';

describe('progress of calls (contract: MCP endpoint)', () => {
  let server: ResourceServer;
  const working = new Working();

  beforeAll(async () => {
    server = await ResourceServer.start({ provide: Working, useValue: working });
    await server.give('ann');
  });
  afterAll(() => server.close());

  describe.each(MCP_ERAS)('in $name', (era) => {
    const work = (input: Input, token?: unknown, headers: Record<string, string> = {}) =>
      server.post(
        'ann',
        era.message('tools/call', {
          name: 'work',
          arguments: input,
          _meta: { ...era.meta, ...(token !== undefined && { progressToken: token }) },
        }),
        { ...era.headers('tools/call', 'work'), ...headers },
      );
    const notification = (progress: number, progressToken: unknown = 'p') => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress, total: 3, message: `step ${progress}` },
    });

    it.each(['p', 0, 7])('comes before the result, under the token %j', async (token) => {
      const response = await work({ steps: [1, 2, 2, 1, 3] }, token);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(EVENTS);
      expect(response.headers.get('x-accel-buffering')).toBe('no');
      expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
      expect(await allMessagesOf(response)).toEqual([
        ...[1, 2, 3].map((step) => notification(step, token)),
        { jsonrpc: '2.0', id: 7, result: expect.objectContaining(result) },
      ]);
    });

    it('comes before a refusal too', async () => {
      const response = await work({ steps: [1], ending: 'refused' }, 'p');
      expect(await allMessagesOf(response)).toMatchObject([
        notification(1),
        { result: { isError: true } },
      ]);
    });

    it.each<[string, Input, unknown, Record<string, string>]>([
      ['did not ask for it', { steps: [1] }, undefined, {}],
      ['takes no events', { steps: [1] }, 'p', { Accept: 'application/json' }],
      ['takes anything', { steps: [1] }, 'p', { Accept: '*/*' }],
      ['has a token that is too long to repeat', { steps: [1] }, 'p'.repeat(257), {}],
      ['calls a tool that tells none', {}, 'p', {}],
    ])('is not sent to a client that %s', async (_who, input, token, headers) => {
      const response = await work(input, token, headers);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ id: 7, result });
    });
  });

  it('is not sent for calls of a batch, nor after a call has ended', async () => {
    const call = { name: 'work', arguments: { steps: [1] }, _meta: { progressToken: 'p' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const response = await server.post('ann', [message]);
    expect(await response.json()).toMatchObject([{ id: 1, result }]);
    await server.post('ann', message).then((single) => single.text());
    expect(() => working.late?.(2)).not.toThrow();
  });
});
