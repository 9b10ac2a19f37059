import { Injectable, type Provider, Scope } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import type { McpCaller, ToolRun } from './call.js';
import { MCP_ERAS } from './testbed/messages.testbed.js';
import { toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { OfferPolicy } from './offer-policy.js';
import { FirstErrorValidator } from './tool-validator.js';
import {
  type AccountTool,
  AccountTools,
  McpTool,
  type McpToolOptions,
  type ToolDefinition,
} from './tool.js';
import { registerTools } from './tool.service.js';

const OPTIONS: McpToolOptions = {
  name: 'greet',
  title: 'Greet',
  description: 'Says hello.',
  scope: 'account:read',
  inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
};

const tool = (options: Partial<McpToolOptions>) => ({
  owner: 'Greeter.greet',
  options: { ...OPTIONS, ...options },
  call: (): unknown => 'hello',
});
const register = (found: ReturnType<typeof tool>) =>
  registerTools([found], new FirstErrorValidator(), 'page_');

describe('tool registry', () => {
  it('lists the schemas of a team as they are: the keywords of 2020-12 are for clients to read', () => {
    const schema = {
      type: 'object',
      $defs: { a: { type: 'string' } },
      required: ['a name'],
    } as const;
    const [registered] = register(tool({ inputSchema: schema, outputSchema: schema })).values();
    expect(registered?.definition).toMatchObject({ inputSchema: schema, outputSchema: schema });
  });

  it.each<[string, Partial<McpToolOptions>, string]>([
    [
      'a name that is for tools of accounts',
      { name: 'page_greet' },
      'MCP tool "page_greet" (Greeter.greet) has a name that begins with "page_"',
    ],
    ['a schema that is no object', { inputSchema: { type: 'string' } as never }, 'type object'],
    [
      'a schema that does not compile',
      { inputSchema: { type: 'object', $ref: '#/nowhere' } },
      'has a schema that cannot be used',
    ],
    [
      'an argument of no simple type that wants to be a header',
      { inputSchema: { type: 'object', properties: { a: { 'x-mcp-header': 'A' } } } },
      'has a schema that cannot be used: Error: x-mcp-header is a token',
    ],
  ])('refuses %s', (_what, wrong, words) => {
    expect(() => register(tool(wrong))).toThrow(words);
  });
});

@Injectable()
class Greeter {
  private readonly words = 'hello';

  @McpTool(toolOf('greet'))
  greet(_input: object, { user }: McpCaller) {
    return `${this.words} ${user.displayName}`;
  }
}

@Injectable()
class LouderGreeter extends Greeter {}

@Injectable()
class Stranger {
  @McpTool(toolOf('enter', 'house:enter'))
  enter(_input: object, _caller: McpCaller) {
    return 'in';
  }
}

describe('tools of an application', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet' } };

  it.each<[string, Provider[]]>([
    ['are found in any module', [Greeter]],
    ['are inherited', [LouderGreeter]],
    ['count once under two tokens', [Greeter, { provide: 'alias', useExisting: Greeter }]],
    [
      'may be values, beside values of any kind',
      [
        { provide: 'value', useValue: new Greeter() },
        { provide: 'nothing', useValue: null },
        { provide: 'bare', useValue: Object.create(null) },
        { provide: 'function', useValue: () => 'x' },
        { provide: 'shadowed', useValue: Object.assign(new Map(), { get: 7, set: undefined }) },
      ],
    ],
  ])('%s', async (_what, providers) => {
    const server = await ResourceServer.start(...providers);
    const response = await server.post(await server.give('good'), call);
    expect(await response.json()).toMatchObject({ result: { content: [{ text: 'hello Ann' }] } });
    await server.close();
  });

  it.each<[string, Provider[], string]>([
    ['two of one name', [Greeter, LouderGreeter], 'has the name of another tool, Greeter.greet'],
    ['an unknown scope', [Stranger], '"enter" (Stranger.enter) needs the scope "house:enter"'],
    [
      'one made for every request',
      [{ provide: Greeter, useClass: Greeter, scope: Scope.REQUEST }],
      'needs a provider of default scope',
    ],
    [
      'one made for everyone',
      [{ provide: Greeter, useClass: Greeter, scope: Scope.TRANSIENT }],
      'needs a provider of default scope',
    ],
  ])('stop the start with %s', async (_what, providers, words) => {
    await expect(ResourceServer.start(...providers)).rejects.toThrow(words);
  });
});

const definition = (name: string): ToolDefinition => ({ name, inputSchema: { type: 'object' } });

@Injectable()
class Greeting {
  @McpTool(toolOf('greet'))
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
  readonly requested: string[] = [];
  lists = 0;
  isDown = false;
  description = '';

  async list({ user }: McpCaller) {
    if (this.isDown) throw new Error('connect ECONNREFUSED');
    this.lists += 1;
    const names = ['page_a', 'greet', 'constructor', 'page_b c', 'page_b'];
    const many = Array.from({ length: 1_000 }, (_, n) => `page_${n}`);
    const { description } = this;
    const shown = (name: string) => ({ ...definition(name), ...(description && { description }) });
    return user.id === 'ann' ? [...names, ...many].map(shown) : [];
  }

  async find(name: string, { user }: McpCaller) {
    this.requested.push(name);
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
      server.send(era, token, 'tools/call', { name, arguments: input }, name);
    const listed = async (token: string) => {
      const response = await server.send(era, token, 'tools/list');
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };

    it('are listed after those of the application, under their prefix, 256 at most', async () => {
      const names = await listed('ann');
      expect(names.slice(0, 4)).toEqual(['greet', 'page_a', 'page_b', 'page_0']);
      expect(names).toHaveLength(257);
      expect(await listed('bob')).toEqual(['greet']);
    });

    it('are listed in pages of 512 KiB at most, each once', async () => {
      tools.description = 'x'.repeat(6_000);
      const names: string[] = [];
      let [pages, cursor]: [number, string | undefined] = [0, undefined];
      do {
        const response = await server.send(era, 'ann', 'tools/list', { cursor });
        const text = await response.text();
        expect(text.length).toBeLessThanOrEqual(512 * 1024);
        const { result } = JSON.parse(text) as {
          result: { tools: { name: string }[]; nextCursor?: string };
        };
        names.push(...result.tools.map(({ name }) => name));
        cursor = result.nextCursor;
        pages += 1;
      } while (cursor !== undefined);
      expect(pages).toBe(4);
      expect(names).toHaveLength(257);
      expect(new Set(names).size).toBe(257);
    });

    it('-32602 | a list is asked for with a cursor of another list', async () => {
      const response = await server.send(era, 'ann', 'tools/list', { cursor: 'next' });
      expect(await response.json()).toMatchObject({ error: { code: -32_602 } });
    });

    it('are left out of a list where they cannot be found out', async () => {
      tools.isDown = true;
      expect(await listed('ann')).toEqual(['greet']);
    });

    it('are called like any other tool; events and logs name only their prefix', async () => {
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

  it('of a batch are read once, and have 512 KiB together as those of one list have', async () => {
    tools.description = 'x'.repeat(6_000);
    const ids = Array.from({ length: 32 }, (_, id) => id);
    const batch = ids.map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const text = await (await server.post('ann', batch)).text();
    expect(text.length).toBeLessThanOrEqual(512 * 1024);
    const answers = JSON.parse(text) as { result: { tools: object[]; nextCursor: string } }[];
    expect([answers.length, tools.lists]).toEqual([32, 1]);
    for (const { result } of answers) {
      expect(result.tools).toHaveLength(3);
      expect(result.nextCursor).toBeDefined();
    }
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
    expect(tools.requested).toEqual(['page_a']);
  });
});

@Injectable()
class Tools {
  @McpTool(toolOf('greet'))
  greet() {
    return 'hello';
  }

  @McpTool(toolOf('secret', 'code:run'))
  secret() {
    return 'secret';
  }
}

class PageTools extends AccountTools {
  readonly prefix = 'page_';

  async list() {
    return ['page_open', 'page_secret'].map((name) => toolOf(name));
  }

  async find(name: string): Promise<AccountTool> {
    return { ...toolOf(name), checkInput: () => undefined, call: () => name };
  }

  onChanged() {
    return () => undefined;
  }
}

/** Ann sees no secrets; for Bob the policy rejects. */
class Secrets extends OfferPolicy {
  async offered(names: readonly string[], { user }: McpCaller) {
    if (user.id === 'bob') throw new Error('internal: the directory is down');
    return [...names.filter((name) => !name.endsWith('secret')), 'added'];
  }
}

describe.each(MCP_ERAS)('a policy of tools in $name (contract: Tools)', (era) => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.startWith(
      [
        { provide: AccountTools, useClass: PageTools },
        { provide: OfferPolicy, useClass: Secrets },
      ],
      Tools,
    );
    await server.give('ann');
    await server.give('narrow', { scope: 'account:read' });
    await server.give('bob', { userId: 'bob' });
  });
  afterAll(() => server.close());

  const list = (token: string) => server.send(era, token, 'tools/list');
  const call = async (token: string, name: string) => {
    const response = await server.send(era, token, 'tools/call', { name, arguments: {} }, name);
    return { status: response.status, body: await response.json() };
  };

  it('hides tools, those of pages too', async () => {
    const { result } = JSON.parse(await (await list('ann')).text());
    const names = result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['greet', 'page_open']);
  });

  it.each(['secret', 'page_secret'])('has %s called as one that is not there', async (name) => {
    const nothing = await call('ann', 'nothing');
    expect(nothing.body).toMatchObject({ error: { code: -32_602 } });
    expect(await call('ann', name)).toEqual(nothing);
    expect(await call('narrow', name)).toEqual(nothing);
  });

  it('tells operators whether it was hidden or does not exist', async () => {
    const events: SecurityEvent[] = [];
    const unlisten = server.get(SecurityEventsService).listen((event) => void events.push(event));
    for (const name of ['secret', 'page_secret', 'nothing']) await call('ann', name);
    unlisten();
    const reason = 'is not offered to this caller';
    const from = { type: 'call-refused', userId: 'ann', grantId: expect.any(String) };
    expect(events).toMatchObject([
      { ...from, facts: { kind: 'tool', tool: 'secret', name: 'secret', reason } },
      { ...from, facts: { kind: 'tool', tool: 'page_*', name: 'page_secret', reason } },
      { ...from, facts: { kind: 'tool', name: 'nothing', reason: 'does not exist' } },
    ]);
    expect(events[2]?.facts).not.toHaveProperty('tool');
  });

  it.each(['greet', 'page_open'])('leaves %s as it is', async (name) => {
    expect((await call('ann', name)).body).toMatchObject({ result: { content: [{}] } });
  });

  it('that rejects lets nothing through', async () => {
    const listed = await list('bob');
    expect(await listed.json()).toMatchObject({
      error: { code: -32_603, message: expect.stringMatching(/^Something went wrong here; /) },
    });
    expect((await call('bob', 'greet').catch(() => undefined))?.status).not.toBe(200);
  });
});
