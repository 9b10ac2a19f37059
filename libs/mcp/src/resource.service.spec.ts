import { Injectable } from '@nestjs/common';
import type { AnyMcpCaller, McpCaller } from './call.js';
import { ToolError } from './errors.js';
import { type OfferedKind, OfferPolicy } from './offer-policy.js';
import {
  AccountResources,
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './resource.js';
import { registerResources } from './resource.service.js';
import { MCP_ERAS, type McpEra } from './testbed/messages.testbed.js';
import { described } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';

const OPTIONS: McpResourceOptions = {
  name: 'note',
  title: 'Note',
  description: 'A note.',
  uri: 'notes://{id}',
  mimeType: 'text/plain',
  scope: 'account:read',
};

const resource = (options: Partial<McpResourceOptions>, owner = 'Notes.read') => ({
  owner,
  options: { ...OPTIONS, ...options },
  call: () => 'text',
});
const register = (...found: ReturnType<typeof resource>[]) => registerResources(found);

describe('resource registry', () => {
  it('has resources without variables first, so that no template takes their uris', () => {
    const fixed = resource({ name: 'first', uri: 'notes://first' });
    const names = register(resource({}), fixed).map(({ options }) => options.name);
    expect(names).toEqual(['first', 'note']);
  });

  it.each<[string, ReturnType<typeof resource>[], string]>([
    [
      'two of one uri',
      [resource({}), resource({ name: 'other', uri: 'notes://{key}' }, 'Other.read')],
      'MCP resource "other" (Other.read) has the uri of another resource, Notes.read',
    ],
    ['a uri that is none', [resource({ uri: 'note' })], 'has a uri that cannot be used: it is no'],
    ['an operator', [resource({ uri: 'x://{?q}' })], 'cannot be used: {?q} is no variable'],
    ['a type that is none', [resource({ mimeType: 'text' })], 'needs a MIME type, which "text"'],
  ])('refuses %s', (_what, found, words) => {
    expect(() => register(...found)).toThrow(words);
  });
});

const resourceOf = (name: string, uri: string, scope?: string, mimeType = 'text/plain') => ({
  ...described(name, scope),
  uri,
  mimeType,
});

@Injectable()
class Notes {
  @McpResource(resourceOf('code', 'code://all', 'code:run'))
  code() {
    return 'code';
  }

  @McpResource(resourceOf('note', 'notes://{id}'))
  async note({ id }: { id: string }, { user }: McpCaller) {
    return id === 'none' ? undefined : `${id} of ${user.displayName}`;
  }

  @McpResource(resourceOf('first', 'notes://first', 'account:read', 'image/png'))
  first() {
    return new Uint8Array([1, 2, 255]);
  }

  @McpResource(resourceOf('refuse', 'x://refuse'))
  refuse() {
    throw new ToolError('it is closed on Sundays');
  }

  @McpResource(resourceOf('fail', 'x://fail'))
  fail() {
    throw new TypeError('secret-internal-thing');
  }

  @McpResource(resourceOf('lie', 'x://lie'))
  lie() {
    return { secret: 1 };
  }
}

/** Account resources as an application provides them for open pages. */
class Pages extends AccountResources {
  readonly template = resourceOf('page', 'tabs://{id}', 'tabs:write', 'application/json');

  async list({ user }: McpCaller) {
    if (user.id === 'bob') throw new Error('unexpected');
    return [
      { uri: `tabs://1-${user.id}`, name: 'one', title: 'Page one' },
      { uri: `tabs://2-${user.id}`, name: 'two', description: 'another' },
    ];
  }

  async read({ id = '' }: UriVariables, { user }: McpCaller) {
    return id.endsWith(`-${user.id}`) ? JSON.stringify({ id }) : undefined;
  }

  onChanged() {
    return () => undefined;
  }
}

describe.each(MCP_ERAS)('resources in $name (contract: Resources and prompts)', (era: McpEra) => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.startWith(
      [{ provide: AccountResources, useClass: Pages }],
      Notes,
    );
    await server.give('all');
    await server.give('narrow', { scope: 'account:read' });
    await server.give('bob', { userId: 'bob' });
  });
  afterAll(() => server.close());

  const send = async (token: string, method: string, params: object = {}, name?: string) => {
    const response = await server.send(era, token, method, params, name);
    const { result = {}, error } = JSON.parse(await response.text());
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
      result,
      error,
    };
  };
  const read = (token: string, uri: string) => send(token, 'resources/read', { uri }, uri);

  it('are listed with their scope alone, those of the account too', async () => {
    const uris = async (token: string) =>
      (await send(token, 'resources/list')).result.resources.map(({ uri }: { uri: string }) => uri);
    const fixed = ['code://all', 'notes://first', 'x://refuse', 'x://fail', 'x://lie'];
    expect(await uris('narrow')).toEqual(fixed.slice(1));
    expect(await uris('all')).toEqual([...fixed, 'tabs://1-ann', 'tabs://2-ann']);
    // Listing Bob's resources fails.
    expect(await uris('bob')).toEqual(fixed);
  });

  it('say what they are, and not their scope', async () => {
    const { resources } = (await send('all', 'resources/list')).result;
    const { scope: _scope, ...code } = resourceOf('code', 'code://all');
    expect(resources[0]).toEqual(code);
    const shared = { mimeType: 'application/json', description: 'page' };
    expect(resources.slice(-2)).toEqual([
      { ...shared, uri: 'tabs://1-ann', name: 'one', title: 'Page one' },
      { ...shared, uri: 'tabs://2-ann', name: 'two', title: 'two', description: 'another' },
    ]);
    const { resourceTemplates } = (await send('all', 'resources/templates/list')).result;
    const { scope: _pageScope, uri: uriTemplate, ...page } = new Pages().template;
    expect(resourceTemplates).toContainEqual({ uriTemplate, ...page });
    expect(resourceTemplates).toHaveLength(2);
    const narrow = (await send('narrow', 'resources/templates/list')).result.resourceTemplates;
    expect(narrow.map(({ name }: { name: string }) => name)).toEqual(['note']);
  });

  it.each([
    ['text', 'code://all', { mimeType: 'text/plain', text: 'code' }],
    ['by a variable', 'notes://a%20b', { mimeType: 'text/plain', text: 'a b of Ann' }],
    [
      'bytes, whatever a template would make',
      'notes://first',
      { mimeType: 'image/png', blob: 'AQL/' },
    ],
    ['of the account', 'tabs://1-ann', { mimeType: 'application/json', text: '{"id":"1-ann"}' }],
  ])('are read: %s', async (_what, uri, content) => {
    const { result } = await read('all', uri);
    expect(result.contents).toEqual([{ uri, ...content }]);
  });

  it.each(['code://all', 'tabs://1-ann', 'tabs://no-such-tab'])(
    '403 | without the scope, whether or not it is there: %s',
    async (uri) => {
      const refused = await read('narrow', uri);
      expect(refused.status).toBe(403);
      expect(refused.error).toBe('insufficient_scope');
      const scope = uri.startsWith('code') ? 'code:run' : 'tabs:write';
      expect(refused.challenge).toContain(`scope="account:read ${scope}"`);
    },
  );

  it.each([
    'notes://none',
    'tabs://1-bob',
    'tabs://',
    'else://where',
    'constructor',
    'x'.repeat(9_000),
  ])('are not found alike: %#', async (uri) => {
    const { status, error } = await read('all', uri);
    expect(status).toBe(200);
    expect(error.code).toBe(-32_602);
    expect(error.message).toMatch(/^there is no such resource; /);
    expect(error.data).toEqual(uri.length > 200 ? undefined : { uri });
  });

  it.each([
    ['x://refuse', /^it is closed on Sundays$/],
    ['x://fail', /^Something went wrong here; .* \(request [0-9a-f-]{36}\)\.$/],
    ['x://lie', /^Something went wrong here; /],
  ])('fail with a text without internals: %s', async (uri, words) => {
    const { error } = await read('all', uri);
    expect(error).toEqual({ code: -32_603, message: expect.stringMatching(words) });
  });

  it('suggest values for a variable to callers that may see the list', async () => {
    const complete = async (token: string, uri: string, value: string, name = 'id') => {
      const params = { ref: { type: 'ref/resource', uri }, argument: { name, value } };
      return (await send(token, 'completion/complete', params)).result.completion?.values;
    };
    expect(await complete('all', 'tabs://{id}', '')).toEqual(['1-ann', '2-ann']);
    expect(await complete('all', 'tabs://{id}', '2')).toEqual(['2-ann']);
    expect(await complete('narrow', 'tabs://{id}', '')).toBeUndefined();
    expect(await complete('all', 'notes://{id}', '')).toEqual([]);
    expect(await complete('all', 'tabs://{id}', '', 'constructor')).toEqual([]);
    expect(await complete('all', 'else://{id}', '')).toBeUndefined();
  });
});

/** Ann has neither the pages nor what lies; for Bob it rejects. */
class Fewer extends OfferPolicy {
  async offered(names: readonly string[], { user }: AnyMcpCaller, kind: OfferedKind) {
    if (user?.id === 'bob') throw new Error('internal: the directory is down');
    return kind === 'resource' ? names.filter((name) => !['page', 'lie'].includes(name)) : names;
  }
}

describe.each(MCP_ERAS)(
  'a policy of resources in $name (contract: Resources and prompts)',
  (era) => {
    let server: ResourceServer;

    beforeAll(async () => {
      server = await ResourceServer.startWith(
        [
          { provide: AccountResources, useClass: Pages },
          { provide: OfferPolicy, useClass: Fewer },
        ],
        Notes,
      );
      await server.give('ann');
      await server.give('bob', { userId: 'bob' });
    });
    afterAll(() => server.close());

    const send = async (token: string, method: string, params: object = {}, name?: string) =>
      JSON.parse(await (await server.send(era, token, method, params, name)).text());

    it('hides them by their name, those of the account by that of their template', async () => {
      for (const method of ['resources/list', 'resources/templates/list']) {
        const listed = JSON.stringify((await send('ann', method)).result);
        expect(listed).not.toMatch(/tabs:|x:\/\/lie/);
      }
      for (const uri of ['x://lie', 'tabs://1-ann']) {
        const answer = await send('ann', 'resources/read', { uri }, uri);
        expect(answer.error).toMatchObject({ code: -32_602, data: { uri } });
      }
      const failing = await send('ann', 'resources/read', { uri: 'x://fail' }, 'x://fail');
      expect(failing.error.code).toBe(-32_603);
    });

    it('that rejects lets nothing through', async () => {
      for (const method of ['resources/list', 'resources/templates/list']) {
        expect((await send('bob', method)).error.code).toBe(-32_603);
      }
      const uri = 'x://fail';
      const read = await server.send(era, 'bob', 'resources/read', { uri }, uri);
      expect(read.status).toBe(503);
    });
  },
);

describe('an application without resources', () => {
  it.each(MCP_ERAS)('announces none in $name, and has no such method', async (era) => {
    const server = await ResourceServer.start();
    const token = await server.give('good');
    for (const method of ['resources/list', 'prompts/list', 'completion/complete']) {
      const response = await server.send(era, token, method);
      expect(await response.json()).toMatchObject({ error: { code: -32_601 } });
    }
    await server.close();
  });
});
