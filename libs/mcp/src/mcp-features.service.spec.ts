import { Injectable } from '@nestjs/common';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpPrompt } from './prompt.js';
import { McpResource } from './resource.js';
import { McpTool } from './tool.js';
import { McpFeaturesService } from './features.service.js';

const described = (name: string, scope: string) => ({
  name,
  title: name,
  description: name,
  scope,
});

@Injectable()
class Everything {
  @McpTool({ ...described('run', 'code:run'), inputSchema: { type: 'object' } })
  run() {
    return 'ran';
  }

  @McpResource({ ...described('note', 'tabs:write'), uri: 'notes://{id}', mimeType: 'text/plain' })
  note() {
    return 'note';
  }

  @McpPrompt(described('plan', 'account:read'))
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
  let features: McpFeaturesService;

  beforeAll(async () => {
    server = await ResourceServer.start(Everything);
    features = server.get(McpFeaturesService);
  });
  afterAll(() => server.close());

  const authorize = (body: unknown, scopes = ['account:read', 'tabs:write', 'code:run']) => {
    const user = { id: 'ann', displayName: 'Ann' };
    const props = { userId: 'ann', app: 'Robot' };
    return features.authorize(body, { user, app: 'Robot', grantId: 'g', scopes, props });
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
