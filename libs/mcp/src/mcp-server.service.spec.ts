import { type JSONRPCRequest, Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { McpExchange, McpServerService } from './mcp-server.service.js';
import { type McpEra, MODERN_REVISION } from './message.js';
import { McpPrompt } from './prompt.js';
import { McpResource } from './resource.js';
import { described, toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpTool } from './tool.js';

const LIST: JSONRPCRequest = { jsonrpc: '2.0', id: 'x', method: 'tools/list' };

describe('a request on its way through a server of its own', () => {
  let answers: PromiseWithResolvers<string>[];

  beforeEach(() => (answers = []));

  /** Serves a request by a server whose list contains the name that the test resolves in `answers`. */
  const ask = (era: McpEra = 'legacy', message = LIST) => {
    const exchange = new McpExchange((answer) => answer);
    const answerName = Promise.withResolvers<string>();
    answers.push(answerName);
    const server = new Server(
      { name: 'x', version: '1' },
      {
        capabilities: { tools: {} },
        ...(era === 'modern' && { supportedProtocolVersions: [MODERN_REVISION] }),
      },
    );
    server.setRequestHandler('tools/list', async () => ({
      tools: [{ name: await answerName.promise, inputSchema: { type: 'object' } }],
    }));
    return { exchange, answer: exchange.serve(server, era, message) };
  };
  const listed = (name: string) => ({ id: 'x', result: { tools: [{ name }] } });

  it('keeps equal ids of different callers apart, and gives each caller its own answer', async () => {
    const [ann, bob] = [ask(), ask()];
    answers[1]?.resolve('bob');
    answers[0]?.resolve('ann');
    expect(await ann.answer).toMatchObject(listed('ann'));
    expect(await bob.answer).toMatchObject(listed('bob'));
  });

  it('binds the server to its era', async () => {
    const { answer } = ask('modern');
    expect(await answer).toMatchObject({ id: 'x', error: { code: -32_602 } });
  });

  it('is stopped when it is given up, and ignores a later answer', async () => {
    const { exchange, answer } = ask();
    exchange.giveUp();
    exchange.giveUp();
    answers[0]?.resolve('late');
    expect(exchange.stop.signal.aborted).toBe(true);
    expect(await answer).toBeUndefined();
  });

  it('is not stopped when it was answered', async () => {
    const { exchange, answer } = ask();
    answers[0]?.resolve('ann');
    expect(await answer).toMatchObject(listed('ann'));
    exchange.giveUp();
    expect(exchange.stop.signal.aborted).toBe(false);
  });

  it('has no reader for what is not its answer', async () => {
    const exchange = new McpExchange((answer) => answer);
    const server = new Server({ name: 'x', version: '1' }, { capabilities: { logging: {} } });
    server.setRequestHandler('ping', async (_request, { mcpReq }) => {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 1 } });
      return {};
    });
    const answer = exchange.serve(server, 'legacy', { jsonrpc: '2.0', id: 'x', method: 'ping' });
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 'x', result: {} });
  });
});

@Injectable()
class Everything {
  @McpTool(toolOf('run', 'code:run'))
  run() {
    return 'ran';
  }

  @McpResource({ ...described('note', 'tabs:write'), uri: 'notes://{id}', mimeType: 'text/plain' })
  note() {
    return 'note';
  }

  @McpPrompt(described('plan'))
  plan() {
    return 'plan';
  }
}

const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const RUN = message('tools/call', { name: 'run' });
const NOTE = message('resources/read', { uri: 'notes://1' });
const PLAN = message('prompts/get', { name: 'plan' });

describe('what a posted body calls', () => {
  let server: ResourceServer;
  let service: McpServerService;

  beforeAll(async () => {
    server = await ResourceServer.start(Everything);
    service = server.get(McpServerService);
  });
  afterAll(() => server.close());

  const authorize = (body: unknown, scopes = ['account:read', 'tabs:write', 'code:run']) => {
    const user = { id: 'ann', displayName: 'Ann' };
    const props = { userId: 'ann', app: 'Robot' };
    const decided = { ask: [], mayAskFor: () => false, pausedBy: null, dailyCredits: null };
    const caller = { user, app: 'Robot', grantId: 'g', scopes, props, ...decided };
    return service.authorize(body, caller, { clientId: 'client', origin: 'https://gate.example' });
  };
  const called = async (body: unknown) =>
    (await authorize(body)).map(({ method, name }) => `${method} ${name}`);

  it.each<[string, unknown, string[]]>([
    ['a tool', RUN, ['tools/call run']],
    ['a resource', NOTE, ['resources/read notes://1']],
    ['a prompt', PLAN, ['prompts/get plan']],
    [
      'a batch',
      [RUN, NOTE, PLAN, NOTE],
      ['tools/call run', 'resources/read notes://1', 'prompts/get plan'],
    ],
    ['a list', message('tools/list', { name: 'run' }), []],
    ['a tool by the name of a prompt', message('tools/call', { name: 'plan' }), []],
    ['a uri as a name', message('resources/read', { name: 'notes://1' }), []],
    ['what every object has', message('prompts/get', { name: 'toString' }), []],
    ['a tool that is called twice', [RUN, RUN], ['tools/call run']],
    [
      'a known tool beside an unknown one',
      [message('tools/call', { name: 'x' }), RUN],
      ['tools/call run'],
    ],
    ['nothing without parameters', { method: 'tools/call' }, []],
    ['nothing for null parameters', { method: 'tools/call', params: null }, []],
    ['nothing by a name that is no string', message('tools/call', { name: ['run'] }), []],
    ['nothing in null', null, []],
    ['nothing in a string', 'tools/call', []],
    ['nothing in a batch of anything else', [null, 1, 'x', [RUN]], []],
  ])('is that alone: %s', async (_what, body, expected) => {
    expect(await called(body)).toEqual(expected);
  });

  it('is refused with every scope that is lacking, of whatever kind', async () => {
    await expect(authorize([PLAN, NOTE, RUN], ['account:read'])).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      message: 'this call needs code:run tabs:write',
      scopes: ['account:read', 'tabs:write', 'code:run'],
    });
  });
});
