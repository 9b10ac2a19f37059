import { type JSONRPCRequest, Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { expectScopes } from '#libs/oauth';
import { McpExchange, McpServerService, namesIn } from './mcp-server.service.js';
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
    const exchange = new McpExchange();
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

  it('is stopped when it is given up, and takes no answer any more', async () => {
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
    const exchange = new McpExchange();
    const server = new Server({ name: 'x', version: '1' }, { capabilities: { logging: {} } });
    server.setRequestHandler('ping', async (_request, { mcpReq }) => {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 1 } });
      return {};
    });
    const answer = exchange.serve(server, 'legacy', { jsonrpc: '2.0', id: 'x', method: 'ping' });
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 'x', result: {} });
  });
});

const ALL_SCOPES = ['account:read', 'tabs:write', 'code:run'];

const tools = new Map(
  [
    { name: 'a', scope: 'account:read' },
    { name: 'b', scope: 'account:read' },
    { name: 'run', scope: 'code:run' },
  ].map((message) => [message.name, message]),
);
const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
const authorizeTools = (body: unknown, granted = ALL_SCOPES) => {
  const names = namesIn(body, { method: 'tools/call', parameter: 'name' });
  const called = names.flatMap((name) => tools.get(name) ?? []);
  const needed = called.map(({ scope }) => scope);
  expectScopes(needed, granted, ALL_SCOPES);
  return called.map(({ name }) => name);
};

describe('tools that a message may call are', () => {
  it.each<[string, unknown, string[]]>([
    ['one', call('a'), ['a']],
    ['those of a batch', [call('a'), { method: 'ping' }, call('b')], ['a', 'b']],
    ['one that is called twice', [call('a'), call('a')], ['a']],
    ['none of an unknown name', [call('a'), call('constructor')], ['a']],
    ['none in another method', { ...call('a'), method: 'tools/list' }, []],
    ['none without parameters', { method: 'tools/call' }, []],
    ['none for null parameters', { method: 'tools/call', params: null }, []],
    ['none by a name that is no string', call(['a']), []],
    ['none in null', null, []],
    ['none in a string', 'tools/call', []],
    ['none in a number', 7, []],
    ['none in a batch of anything else', [null, 1, 'x', [call('a')]], []],
  ])('%s', (_what, body, names) => {
    expect(authorizeTools(body)).toEqual(names);
  });

  it.each<[string, unknown]>([
    ['alone', call('run')],
    ['first in a batch', [call('run'), call('a')]],
    ['last in a batch', [call('a'), call('run')]],
  ])('none whose scope was not granted, %s', (_where, body) => {
    expect(() => authorizeTools(body, ['tabs:write', 'account:read'])).toThrow(
      expect.objectContaining({
        status: 403,
        code: 'insufficient_scope',
        message: 'this call needs code:run',
        scopes: ALL_SCOPES,
      }),
    );
  });

  it('none: the refusal asks for every scope that is lacking, and for no other', () => {
    expect(() => authorizeTools([call('run'), call('a')], [])).toThrow(
      expect.objectContaining({
        message: 'this call needs code:run account:read',
        scopes: ['account:read', 'code:run'],
      }),
    );
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
    return service.authorize(body, { user, app: 'Robot', grantId: 'g', scopes, props });
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
