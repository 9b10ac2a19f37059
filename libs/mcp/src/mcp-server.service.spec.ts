import { type JSONRPCRequest, Server } from '@modelcontextprotocol/server';
import { McpExchange } from './mcp-server.service.js';
import { type McpEra, MODERN_REVISION } from './message.js';

const LIST: JSONRPCRequest = { jsonrpc: '2.0', id: 'x', method: 'tools/list' };

describe('a request on its way through a server of its own', () => {
  let answers: PromiseWithResolvers<string>[];

  beforeEach(() => (answers = []));

  /** Serves a request by a server whose list contains the name that the test resolves in `answers`. */
  const ask = (era: McpEra = 'legacy', message = LIST) => {
    const exchange = new McpExchange();
    const told = Promise.withResolvers<string>();
    answers.push(told);
    const server = new Server(
      { name: 'x', version: '1' },
      {
        capabilities: { tools: {} },
        ...(era === 'modern' && { supportedProtocolVersions: [MODERN_REVISION] }),
      },
    );
    server.setRequestHandler('tools/list', async () => ({
      tools: [{ name: await told.promise, inputSchema: { type: 'object' } }],
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
