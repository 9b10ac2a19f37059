import { Injectable } from '@nestjs/common';
import { MCP_ERAS } from '../testbed/mcp-eras.testbed.js';
import { ResourceServer } from '../testbed/resource-server.testbed.js';
import { type AccountTool, AccountTools, McpTool, ToolPolicy } from '../tool.js';
import type { McpCaller } from '../call.js';

const described = (name: string, scope = 'account:read') => ({
  name,
  title: name,
  description: name,
  scope,
  inputSchema: { type: 'object' } as const,
});

@Injectable()
class Tools {
  @McpTool(described('greet'))
  greet() {
    return 'hello';
  }

  @McpTool(described('secret', 'code:run'))
  secret() {
    return 'secret';
  }
}

class PageTools extends AccountTools {
  readonly prefix = 'page_';

  async list() {
    return ['page_open', 'page_secret'].map((name) => described(name));
  }

  async find(name: string): Promise<AccountTool> {
    return { ...described(name), checkInput: () => undefined, call: () => name };
  }

  onChanged() {
    return () => undefined;
  }
}

/** Ann sees no secrets; for Bob the policy rejects. */
class Secrets extends ToolPolicy {
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
        { provide: ToolPolicy, useClass: Secrets },
      ],
      Tools,
    );
    await server.give('ann');
    await server.give('narrow', { scope: 'account:read' });
    await server.give('bob', { userId: 'bob' });
  });
  afterAll(() => server.close());

  const send = (token: string, method: string, params: object = {}, name?: string) =>
    server.post(token, era.message(method, params), era.headers(method, name));
  const call = async (token: string, name: string) => {
    const response = await send(token, 'tools/call', { name, arguments: {} }, name);
    return { status: response.status, body: await response.json() };
  };

  it('hides tools, those of pages too', async () => {
    const { result } = JSON.parse(await (await send('ann', 'tools/list')).text());
    const names = result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['greet', 'page_open']);
  });

  it.each(['secret', 'page_secret'])('has %s called as one that is not there', async (name) => {
    const nothing = await call('ann', 'nothing');
    expect(nothing.body).toMatchObject({ error: { code: -32_602 } });
    expect(await call('ann', name)).toEqual(nothing);
    expect(await call('narrow', name)).toEqual(nothing);
  });

  it.each(['greet', 'page_open'])('leaves %s as it is', async (name) => {
    expect((await call('ann', name)).body).toMatchObject({ result: { content: [{}] } });
  });

  it('that rejects lets nothing through', async () => {
    const listed = await send('bob', 'tools/list');
    expect(await listed.json()).toMatchObject({
      error: { code: -32_603, message: expect.stringMatching(/^Something went wrong here; /) },
    });
    expect((await call('bob', 'greet').catch(() => undefined))?.status).not.toBe(200);
  });
});
