import { once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { eventually } from '#libs/platform/testing';
import { described } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { type Cancellation, Cancellations, CancelledCallsService } from './cancellation.js';
import type { McpCaller, ToolRun } from './call.js';
import { McpTool } from './tool.js';

const STOPPED_WITHIN_MS = 250;

/** A tool whose calls wait until their signal aborts. */
@Injectable()
class Waiting {
  readonly begun: string[] = [];
  readonly stopped: { readonly what: string; readonly at: number }[] = [];

  @McpTool({
    ...described('wait'),
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
  })
  async wait({ what = '' }: { what?: string }, _caller: McpCaller, { signal }: ToolRun) {
    this.begun.push(what);
    await once(signal, 'abort');
    this.stopped.push({ what, at: performance.now() });
    throw new Error('stopped');
  }
}

/** Two replicas of one test share their cancellations. */
class Shared extends Cancellations {
  static readonly listeners = new Set<(cancellation: Cancellation) => void>();
  static published = 0;

  override publish(cancellation: Cancellation) {
    Shared.published += 1;
    for (const listener of Shared.listeners) listener(cancellation);
  }

  override listen(listener: (cancellation: Cancellation) => void) {
    Shared.listeners.add(listener);
  }
}

const wait = (id: unknown, what: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait', arguments: { what } },
});
const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'enough' },
});

describe('cancelled calls (contract: MCP endpoint)', () => {
  let server: ResourceServer;
  let waiting: Waiting;
  let events: SecurityEvent[];
  let open: AbortController;

  beforeEach(async () => {
    Shared.listeners.clear();
    Shared.published = 0;
    waiting = new Waiting();
    open = new AbortController();
    server = await start(waiting);
    events = [];
    server.get(SecurityEventsService).listen((event) => void events.push(event));
    await server.give('ann');
    await server.give('anns-other');
  });
  afterEach(async () => {
    open.abort();
    await server.close();
  });

  const start = (tool: Waiting) =>
    ResourceServer.startWith([{ provide: Cancellations, useClass: Shared }], {
      provide: Waiting,
      useValue: tool,
    });
  /** A call whose client waits until the test is over. */
  const ask = (token: string, message: unknown) => {
    const answer = server.post(token, message, {}, open.signal);
    answer.catch(() => undefined);
    return answer;
  };
  const begun = (...whats: string[]) =>
    eventually(() => expect(waiting.begun.toSorted()).toEqual(whats.toSorted()));
  const stopped = (...whats: string[]) =>
    eventually(() => expect(waiting.stopped.map(({ what }) => what)).toEqual(whats));
  const note = async (token: string, message: unknown, to = server) => {
    const response = await to.post(token, message);
    expect(response.status).toBe(202);
  };
  const outcomes = () => events.map(({ detail }) => detail);

  it('are stopped at once when their connection ends, and recorded as cancelled', async () => {
    const took: number[] = [];
    for (const whats of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      const client = new AbortController();
      const call = server.post('ann', wait(1, whats.at(-1) ?? ''), {}, client.signal);
      await begun(...whats);
      const at = performance.now();
      client.abort();
      await expect(call).rejects.toThrow();
      await stopped(...whats);
      took.push((waiting.stopped.at(-1)?.at ?? 0) - at);
    }
    // The minimum of several runs, since the machine may be busy.
    expect(Math.min(...took)).toBeLessThan(STOPPED_WITHIN_MS);
    await eventually(() => expect(outcomes()).toEqual(Array(3).fill('wait: cancelled')));
  });

  it('are stopped by a notification of their grant, which ends their request', async () => {
    const answer = ask('ann', wait('x', 'a'));
    await begun('a');
    await note('ann', cancelled('x'));
    await stopped('a');
    expect((await answer).status).toBe(202);
    expect(outcomes()).toEqual(['wait: cancelled']);
    expect(Shared.published).toBe(0);
  });

  it('leave the other answers of their batch', async () => {
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const answer = ask('ann', [wait(1, 'a'), ping]);
    await begun('a');
    await note('ann', [cancelled(1)]);
    expect(await (await answer).json()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it.each<[string, string, unknown]>([
    ['of another grant', 'anns-other', 1],
    ['of another id', 'ann', 2],
    ['of an id that is another type', 'ann', '1'],
    ['of no id', 'ann', undefined],
    ['of an id that is none', 'ann', ['1']],
  ])('are none by a notification %s', async (_which, token, id) => {
    const client = new AbortController();
    const call = server.post('ann', wait(1, 'a'), {}, client.signal);
    await begun('a');
    await note(token, cancelled(id));
    expect(waiting.stopped).toEqual([]);
    client.abort();
    await expect(call).rejects.toThrow();
    await stopped('a');
  });

  it('are none where two clients of a grant chose the same id', async () => {
    const clients = ['a', 'b'].map((what) => {
      const client = new AbortController();
      const call = server.post('ann', wait(0, what), {}, client.signal);
      return { client, call };
    });
    await begun('a', 'b');
    await note('ann', cancelled(0));
    expect(waiting.stopped).toEqual([]);
    clients[0]?.client.abort();
    await stopped('a');
    await note('ann', cancelled(0));
    await stopped('a', 'b');
    await Promise.allSettled(clients.map(({ call }) => call));
  });

  it('are found on another replica', async () => {
    const other = await start(new Waiting());
    try {
      await other.give('ann');
      const answer = ask('ann', wait(1, 'a'));
      await begun('a');
      await note('ann', cancelled(1), other);
      await stopped('a');
      expect((await answer).status).toBe(202);
      expect(Shared.published).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('leave nothing behind', async () => {
    const answer = ask('ann', wait(1, 'a'));
    await begun('a');
    await note('ann', cancelled(1));
    await answer;
    expect(Reflect.get(server.get(CancelledCallsService), 'grants')).toEqual(new Map());
  });
});
