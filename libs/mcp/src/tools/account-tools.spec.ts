import { Injectable } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { MCP_ERAS } from '../testbed/mcp-eras.testbed.js';
import { ResourceServer } from '../testbed/resource-server.testbed.js';
import { type AccountTool, AccountTools, McpTool, type ToolDefinition } from '../tool.js';
import type { McpCaller, ToolRun } from '../call.js';

const SCHEMA = { type: 'object' } as const;
const definition = (name: string): ToolDefinition => ({ name, inputSchema: SCHEMA });

@Injectable()
class Greeting {
  @McpTool({
    name: 'greet',
    title: 'Greet',
    description: 'Says hello.',
    scope: 'account:read',
    inputSchema: SCHEMA,
  })
  greet(_input: object, _caller: McpCaller) {
    return 'hello';
  }
}

class PageTool implements AccountTool {
  readonly scope = 'tabs:write';

  constructor(readonly name: string) {}

  checkInput(input: unknown) {
    return Object.hasOwn(Object(input), 'x') ? undefined : 'x is missing';
  }

  async call(input: unknown, { user }: McpCaller, { signal }: ToolRun) {
    return { tool: this.name, input, of: user.id, aborted: signal.aborted };
  }
}

/** Tools that only Ann has. */
class AnnsTools extends AccountTools {
  readonly prefix = 'page_';
  readonly asked: string[] = [];
  isDown = false;

  async list({ user }: McpCaller) {
    if (this.isDown) throw new Error('connect ECONNREFUSED');
    const names = ['page_a', 'greet', 'constructor', 'page_b c', 'page_b'];
    const many = Array.from({ length: 1_000 }, (_, n) => `page_${n}`);
    return user.id === 'ann' ? [...names, ...many].map(definition) : [];
  }

  async find(name: string, { user }: McpCaller) {
    this.asked.push(name);
    return user.id === 'ann' && name === 'page_a' ? new PageTool(name) : undefined;
  }

  onChanged() {
    return () => undefined;
  }
}

describe('tools of an account (contract: Tools)', () => {
  let server: ResourceServer;
  let tools: AnnsTools;
  let events: SecurityEvent[];

  beforeEach(async () => {
    tools = new AnnsTools();
    const replaced = [{ provide: AccountTools, useValue: tools }];
    server = await ResourceServer.startWith(replaced, Greeting);
    events = [];
    server.get(SecurityEventsService).listen((event) => void events.push(event));
    await server.give('ann');
    await server.give('narrow', { scope: 'account:read' });
    await server.give('bob', { userId: 'bob' });
  });
  afterEach(() => server.close());

  describe.each(MCP_ERAS)('in $name', (era) => {
    const call = (token: string, name: string, input: object = { x: 1 }) =>
      server.post(
        token,
        era.message('tools/call', { name, arguments: input }),
        era.headers('tools/call', name),
      );
    const listed = async (token: string) => {
      const response = await server.post(
        token,
        era.message('tools/list'),
        era.headers('tools/list'),
      );
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };

    it('are listed after those of the application, under their prefix, 256 at most', async () => {
      const names = await listed('ann');
      expect(names.slice(0, 4)).toEqual(['greet', 'page_a', 'page_b', 'page_0']);
      expect(names).toHaveLength(257);
      expect(await listed('bob')).toEqual(['greet']);
    });

    it('are left out of a list where they cannot be found out', async () => {
      tools.isDown = true;
      expect(await listed('ann')).toEqual(['greet']);
    });

    it('are called like any other, and told under their prefix alone', async () => {
      const response = await call('ann', 'page_a');
      expect(await response.json()).toMatchObject({
        result: {
          structuredContent: { tool: 'page_a', input: { x: 1 }, of: 'ann', aborted: false },
        },
      });
      expect(events.map(({ detail }) => detail)).toEqual(['page_*: done']);
    });

    it('get no arguments that do not fit', async () => {
      const response = await call('ann', 'page_a', {});
      expect(await response.text()).toContain('These arguments do not fit: x is missing.');
    });

    it('need their scope', async () => {
      const response = await call('narrow', 'page_a');
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toContain(
        'scope="account:read tabs:write", error="insufficient_scope"',
      );
    });

    it('are of one account', async () => {
      const response = await call('bob', 'page_a');
      expect(await response.json()).toMatchObject({ error: { code: -32_602 } });
    });
  });

  it('are looked for under names that they can have, each once', async () => {
    const call = (name: unknown) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { x: 1 } },
    });
    const names = ['greet', 'page_a', 'page_a', `page_${'x'.repeat(200)}`, 'page_ ', 'pages', 7];
    await server.post('ann', names.map(call));
    expect(tools.asked).toEqual(['page_a']);
  });
});
