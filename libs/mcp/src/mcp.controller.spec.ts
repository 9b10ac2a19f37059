import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { McpCaller } from './call.js';
import { McpTool } from './tool.js';
import { legacyEra, MCP_ERAS, modernEra } from './testbed/messages.testbed.js';
import { described, toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { ToolError } from './errors.js';

@Injectable()
class TestTools {
  @McpTool({
    ...described('greet'),
    inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    outputSchema: { type: 'object', required: ['caller'] },
    annotations: { readOnlyHint: true },
  })
  greet({ to }: { to: string }, caller: McpCaller) {
    return { greeting: `hello ${to}`, caller };
  }

  @McpTool(toolOf('run', 'code:run'))
  async run(_input: object, { user }: McpCaller) {
    return `ran for ${user.displayName}`;
  }

  @McpTool(toolOf('wait'))
  async wait(_input: object, _caller: McpCaller) {
    await setTimeout(200);
    return 'waited';
  }

  @McpTool(toolOf('refuse'))
  refuse(_input: object, _caller: McpCaller) {
    throw new ToolError('there is no such tab; list_tabs names them');
  }

  @McpTool(toolOf('fail'))
  fail(_input: object, _caller: McpCaller) {
    throw new TypeError('secret-internal-thing');
  }

  @McpTool({ ...toolOf('lie'), outputSchema: { type: 'object', required: ['x'] } })
  lie(_input: object, _caller: McpCaller) {
    return {};
  }
}

describe('MCP endpoint', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(TestTools);
    await server.give('all');
    await server.give('narrow', { scope: 'tabs:write account:read' });
    await server.give('none', { scope: 'tabs:write' });
  });
  afterAll(() => server.close());

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'initializes %s without a session',
    async (version) => {
      const params = {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      const response = await server.post('all', legacyEra(version).message('initialize', params));
      expect(response.status).toBe(200);
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.json()).toMatchObject({
        id: 7,
        result: {
          protocolVersion: version,
          serverInfo: { name: 'Gatehouse' },
          capabilities: { tools: {} },
        },
      });
    },
  );

  it('is discovered by 2026-07-28 clients', async () => {
    const response = await server.send(modernEra, 'all', 'server/discover');
    expect(await response.json()).toMatchObject({
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
  });

  describe.each(MCP_ERAS)('in $name', (era) => {
    const send = (token: string, method: string, params?: object) =>
      server.send(era, token, method, params);
    const call = (token: string, name: string, input?: object) =>
      server.send(era, token, 'tools/call', { name, arguments: input }, name);

    it('lists the tools that may be called', async () => {
      const names = async (token: string) => {
        const { result } = JSON.parse(await (await send(token, 'tools/list')).text());
        return result.tools.map(({ name }: { name: string }) => name);
      };
      const allowed = ['greet', 'wait', 'refuse', 'fail', 'lie'];
      expect(await names('narrow')).toEqual(allowed);
      expect(await names('all')).toEqual(['greet', 'run', ...allowed.slice(1)]);
      expect(await names('none')).toEqual([]);
    });

    it('lists what clients know of a tool', async () => {
      const response = await send('narrow', 'tools/list');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toBe('application/json');
      const { result } = (await response.json()) as { result: { tools: object[] } };
      expect(result.tools[0]).toMatchObject({
        title: 'The greet',
        annotations: { readOnlyHint: true },
      });
      expect(result.tools[0]).not.toHaveProperty('scope');
    });

    it('calls a tool on behalf of its user', async () => {
      const response = await call('narrow', 'greet', { to: 'Ann' });
      expect(response.status).toBe(200);
      const structuredContent = {
        greeting: 'hello Ann',
        caller: {
          user: { id: 'ann', displayName: 'Ann' },
          app: 'Robot',
          grantId: 'grant-of-narrow',
          scopes: ['tabs:write', 'account:read'],
          ask: [],
          mayAsk: false,
          pausedBy: null,
          dailyCredits: null,
          props: { userId: 'ann', app: 'Robot' },
        },
      };
      const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
      expect(await response.json()).toMatchObject({
        id: 7,
        result: { content, structuredContent },
      });
    });

    it('asks for every scope that a call would need', async () => {
      const response = await call('narrow', 'run');
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toContain(
        'scope="account:read tabs:write code:run", error="insufficient_scope"',
      );
      expect(await response.json()).toMatchObject({ error: 'insufficient_scope' });
    });

    it('takes a token that can do more (PR11), and text as a result', async () => {
      const response = await call('all', 'run');
      const content = [{ type: 'text', text: 'ran for Ann' }];
      expect(await response.json()).toMatchObject({ result: { content } });
    });

    it.each([
      ['bad arguments', 'greet', { to: 7 }, /do not fit: to takes a string\./],
      ['missing arguments', 'greet', undefined, /to is missing; it takes a string/],
      ['an expected refusal', 'refuse', {}, /^there is no such tab; list_tabs names them$/],
      [
        'an unexpected failure',
        'fail',
        {},
        /^Something went wrong here.* \(request [0-9a-f-]{36}\)\.$/,
      ],
      ['a result that does not fit', 'lie', {}, /^Something went wrong/],
    ])('tells the model about %s', async (_what, tool, input, words) => {
      const response = await call('all', tool, input);
      expect(response.status).toBe(200);
      const answer = await response.text();
      expect(answer).not.toContain('secret');
      const { result } = JSON.parse(answer) as {
        result: { isError: boolean; content: { text: string }[] };
      };
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toMatch(words);
    });

    it('keeps callers apart', async () => {
      const tokens = Array.from({ length: 20 }, (_, n) => (n % 2 ? 'all' : 'narrow'));
      const responses = await Promise.all(tokens.map((token) => call(token, 'greet', { to: '' })));
      const answers = await Promise.all(responses.map((response) => response.text()));
      const grants = answers.map((answer) => /grant-of-(\w+)/.exec(answer)?.[1]);
      expect(grants).toEqual(tokens);
    });

    it('survives a client that goes away', async () => {
      const gone = server.post(
        'all',
        era.message('tools/call', { name: 'wait' }),
        era.headers('tools/call', 'wait'),
        AbortSignal.timeout(50),
      );
      await expect(gone).rejects.toThrow('aborted due to timeout');
      expect((await send('all', 'tools/list')).status).toBe(200);
    });

    it('knows no other tool', async () => {
      const response = await call('all', 'constructor');
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_602 } });
    });
  });

  it('checks every call of a batch before any is made', async () => {
    const message = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: { to: 'x' } },
    });
    const refused = await server.post('narrow', [message(1, 'greet'), message(2, 'run')]);
    expect(refused.status).toBe(403);
    const answered = await server.post('all', [message(1, 'greet'), message(2, 'run')]);
    expect(await answered.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
  });
});
