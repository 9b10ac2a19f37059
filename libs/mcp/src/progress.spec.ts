import { Injectable } from '@nestjs/common';
import { allMessagesOf } from './testbed/events.testbed.js';
import { MCP_ERAS } from './testbed/mcp-eras.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import type { McpCaller, ToolRun } from './call.js';
import { McpTool } from './tool.js';
import { ToolError } from './errors.js';

interface Input {
  readonly steps?: readonly number[];
  readonly ending?: 'refused';
}

@Injectable()
class Working {
  late: ToolRun['progress'] | undefined;

  @McpTool({
    name: 'work',
    title: 'Work',
    description: 'Works in steps.',
    scope: 'account:read',
    inputSchema: { type: 'object' },
  })
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
    const told = (progress: number, progressToken: unknown = 'p') => ({
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
        ...[1, 2, 3].map((step) => told(step, token)),
        { jsonrpc: '2.0', id: 7, result: expect.objectContaining(result) },
      ]);
    });

    it('comes before a refusal too', async () => {
      const response = await work({ steps: [1], ending: 'refused' }, 'p');
      expect(await allMessagesOf(response)).toMatchObject([told(1), { result: { isError: true } }]);
    });

    it.each<[string, Input, unknown, Record<string, string>]>([
      ['did not ask for it', { steps: [1] }, undefined, {}],
      ['takes no events', { steps: [1] }, 'p', { Accept: 'application/json' }],
      ['takes anything', { steps: [1] }, 'p', { Accept: '*/*' }],
      ['has a token that is too long to repeat', { steps: [1] }, 'p'.repeat(257), {}],
      ['calls a tool that tells none', {}, 'p', {}],
    ])('is not told to whoever %s', async (_who, input, token, headers) => {
      const response = await work(input, token, headers);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ id: 7, result });
    });
  });

  it('is not told of the calls of a batch, nor when a call is over', async () => {
    const call = { name: 'work', arguments: { steps: [1] }, _meta: { progressToken: 'p' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const response = await server.post('ann', [message]);
    expect(await response.json()).toMatchObject([{ id: 1, result }]);
    await server.post('ann', message).then((one) => one.text());
    expect(() => working.late?.(2)).not.toThrow();
  });
});
