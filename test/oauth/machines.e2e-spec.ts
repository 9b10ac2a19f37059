import { Injectable, Module } from '@nestjs/common';
import type { Extension } from '#server';
import {
  type AnyMcpCaller,
  type FromSchema,
  inputRequired,
  listRoots,
  type McpMachine,
  McpTool,
} from '#libs/mcp';
import { guarded } from '../extending/guarded-routes.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { type IssuedMachine, MachineClient, MACHINES } from '../support/machine-client.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const METADATA = '/.well-known/oauth-authorization-server';
const ANY = { type: 'object' } as const;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const EXTENSION = 'io.modelcontextprotocol/oauth-client-credentials';

const described = (name: string) => ({
  name,
  title: name,
  description: name,
  scope: 'account:read',
  inputSchema: ANY,
});

/** Tools of a team, for one kind of callers and for both. */
@Injectable()
class TeamTools {
  @McpTool({ ...described('team_machines'), callers: 'machines' })
  machines(_input: FromSchema<typeof ANY>, { clientId, account }: McpMachine) {
    return { clientId, account };
  }

  @McpTool({ ...described('team_both'), callers: 'both' })
  both(_input: FromSchema<typeof ANY>, caller: AnyMcpCaller) {
    return caller.user ? { user: caller.user.id } : { app: caller.app };
  }

  @McpTool({ ...described('team_asks'), callers: 'both' })
  asks() {
    return inputRequired({ roots: listRoots() });
  }
}

@Module({})
class TeamToolsModule {}

const NOTES = { name: 'notes:read', description: 'read your notes' };

const extension: Extension = {
  gatehouse: 1,
  resources: [{ resource: '/notes', name: 'Notes', scopes: [NOTES], tokens: 'opaque' }],
  modules: (builtIn) => [
    ...(guarded.modules?.(builtIn) ?? []),
    { module: TeamToolsModule, providers: [TeamTools] },
  ],
};

const NOT_ITS_SCOPE = 'the client may not have this scope';
const NOT_ITS_GRANT = 'requested grant type is not allowed for this client';

const errorOf = (answer: Answer) => [answer.status, answer.json()['error']];
const outcomeOf = (answer: Answer) => {
  const { result } = answer.json<{
    result: { isError?: boolean; structuredContent?: object; content: { text: string }[] };
  }>();
  return result.isError ? result.content[0]?.text : result.structuredContent;
};
const call = (name: string, args: object = {}) => ({ name, arguments: args });

describe('machine clients (contract: Machine clients)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(MACHINES, undefined, [extension]));
  let admin: Admin;
  let browser: Browser;

  const namesOf = async (list: Promise<Answer>, member = 'tools') => {
    const { result } = (await list).json<{ result?: Record<string, { name: string }[]> }>();
    return result?.[member]?.map(({ name }) => name);
  };
  const eventsOf = async (client: string) => {
    const args = ['audit', 'list', '--client', client];
    const { items } = await admin.json<{ items: { type: string; detail: string | null }[] }>(
      ...args,
    );
    return items.map(({ type, detail }) => (detail === null ? type : `${type}: ${detail}`));
  };

  beforeAll(async () => {
    admin = new Admin(gatehouse, [extension], MACHINES);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  describe('at the token endpoint', () => {
    let machine: MachineClient;
    let resource: string;

    beforeAll(async () => {
      machine = await MachineClient.create(gatehouse, admin, ['code:run', 'account:read']);
      resource = `${gatehouse.origin}/svc/mcp`;
    });

    it('get a token of all their scopes for an hour, and no refresh token', async () => {
      const answer = await machine.issue();
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(answer.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: expect.stringMatching(/^(?:account:read code:run|code:run account:read)$/),
        resource,
      });
      await eventually(async () =>
        expect(await eventsOf(machine.id)).toContain('machine-token-issued'),
      );
    });

    it('may name fewer scopes, and the resource in any spelling', async () => {
      const answer = await machine.issue({ scope: 'code:run', resource: `${resource}/` });
      expect(answer.json()).toMatchObject({ scope: 'code:run', resource });
    });

    it.each([
      ['a scope beyond theirs', { scope: 'tabs:read' }, 'invalid_scope', NOT_ITS_SCOPE],
      [
        'another resource',
        { resource: 'https://elsewhere.example/' },
        'invalid_target',
        'that is no resource of this server, whose metadata lists them',
      ],
      [
        'a code',
        { grant_type: 'authorization_code', code: 'x', code_verifier: 'x' },
        'unauthorized_client',
        NOT_ITS_GRANT,
      ],
      [
        'a refresh token',
        { grant_type: 'refresh_token', refresh_token: 'x' },
        'unauthorized_client',
        NOT_ITS_GRANT,
      ],
      [
        'no grant type',
        { grant_type: undefined },
        'invalid_request',
        "missing required parameter 'grant_type'",
      ],
      [
        'a grant type of no one',
        { grant_type: 'password' },
        'unsupported_grant_type',
        'unsupported grant_type requested',
      ],
    ])(
      '400 | %s',
      async (_what, params: Record<string, string | undefined>, error, description) => {
        const answer = await machine.request({ grant_type: 'client_credentials', ...params });
        expect([answer.status, answer.json()]).toMatchObject([
          400,
          { error, error_description: description },
        ]);
      },
    );

    it('machine clients are refused without their secret: 401 invalid_client', async () => {
      const stranger = MachineClient.with(gatehouse, { clientId: machine.id, clientSecret: 'x' });
      const beyond = { scope: 'tabs:read' };
      expect(errorOf(await stranger.issue(beyond))).toEqual([401, 'invalid_client']);
      const inBody = OAuthClient.published(gatehouse, machine.id);
      const given = { grant_type: 'client_credentials', client_secret: 'x' };
      expect(errorOf(await inBody.token(given))).toEqual([401, 'invalid_client']);
      expect(errorOf(await inBody.token({ grant_type: 'client_credentials' }))).toEqual([
        401,
        'invalid_client',
      ]);
    });

    it('give their tokens back, at both endpoints, and only their own', async () => {
      const other = await MachineClient.create(gatehouse, admin);
      for (const path of ['/svc/oauth/token', '/svc/oauth/revoke']) {
        const token = await machine.token();
        const kept = await machine.token();
        expect((await other.request({ token }, path)).status).toBe(200);
        expect((await machine.mcp(token)).status).toBe(200);
        expect((await machine.request({ token }, path)).status).toBe(200);
        const statuses = [await machine.mcp(token), await machine.mcp(kept)];
        expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
      }
      await eventually(async () => expect(await eventsOf(machine.id)).toContain('token-revoked'));
    });

    it('may be for another resource, and are then for that alone', async () => {
      const made = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', 'notes:read'];
      const issued = await admin.json<IssuedMachine>(...made, '--resource', '/notes');
      const elsewhere = MachineClient.with(gatehouse, issued);
      const notes = `${gatehouse.origin}/notes`;
      const answer = await elsewhere.issue();
      expect(answer.json()).toMatchObject({ scope: 'notes:read', resource: notes });
      const { access_token: token } = answer.json<{ access_token: string }>();
      expect((await elsewhere.mcp(token)).status).toBe(401);
      expect((await elsewhere.issue({ resource: notes })).status).toBe(200);
      expect(errorOf(await elsewhere.issue({ resource }))).toEqual([400, 'invalid_target']);
      expect(errorOf(await machine.issue({ resource: notes }))).toEqual([400, 'invalid_target']);
      expect(await admin.json('clients', 'show', issued.clientId)).toMatchObject({
        kind: 'machine',
        scopes: ['notes:read'],
        resource: '/notes',
      });
      for (const more of [['--resource', '/none'], []]) {
        expect((await admin.run(...made, ...more)).code).toBe(1);
      }
    });

    it('are none of those that ask people, nor do they register themselves', async () => {
      const app = await OAuthClient.register(gatehouse, {
        grant_types: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_method: 'client_secret_post',
        machine: { scopes: SCOPES },
      });
      const params = { grant_type: 'client_credentials' };
      expect(errorOf(await app.token(params))).toEqual([400, 'unauthorized_client']);
      const alone = { redirect_uris: [REDIRECT_URI], grant_types: ['client_credentials'] };
      const refused = await app.post('/svc/oauth/register', JSON.stringify(alone), {
        'content-type': 'application/json',
      });
      expect(errorOf(refused)).toEqual([400, 'invalid_client_metadata']);
    });

    it('need no consent', async () => {
      const asking = OAuthClient.published(gatehouse, machine.id);
      const answer = await browser.get(asking.authorizePath());
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    });
  });

  describe('at the MCP endpoint', () => {
    let machine: MachineClient;
    let token: string;
    let app: OAuthClient;
    let personal: string;

    beforeAll(async () => {
      machine = await MachineClient.create(gatehouse, admin, SCOPES);
      token = await machine.token();
      app = await OAuthClient.register(gatehouse);
      ({ access_token: personal } = await app.connect(browser, SCOPES));
    });

    it('see the tools that take them, and no prompts and resources', async () => {
      const tools = await namesOf(machine.mcp(token));
      expect(tools?.toSorted()).toEqual(['run_code', 'team_asks', 'team_both', 'team_machines']);
      expect(await namesOf(machine.mcp(token, 'prompts/list'), 'prompts')).toBeUndefined();
      expect(await namesOf(machine.mcp(token, 'resources/list'), 'resources')).toEqual([]);
      const templates = machine.mcp(token, 'resources/templates/list');
      expect(await namesOf(templates, 'resourceTemplates')).toEqual([]);
      const read = await machine.mcp(token, 'resources/read', { uri: 'tabs://one' });
      expect(read.json()).toMatchObject({ error: { code: -32_602 } });
      const people = await namesOf(app.mcp(personal));
      expect(people).toEqual(expect.arrayContaining(['run_code', 'list_tabs', 'team_both']));
      expect(people).not.toContain('team_machines');
    });

    it.each(['account_status', 'list_tabs', 'call_tab', 'send_message'])(
      'are told that %s is for people, whatever their arguments and scopes',
      async (name) => {
        const sentence = 'This tool is for people only; a machine client cannot use it.';
        const narrow = await machine.token({ scope: 'code:run' });
        for (const each of [token, narrow]) {
          const answer = await machine.mcp(each, 'tools/call', call(name));
          expect([answer.status, outcomeOf(answer)]).toEqual([200, sentence]);
        }
      },
    );

    it('have no tools of pages', async () => {
      const answer = await machine.mcp(token, 'tools/call', call('page_buy'));
      expect(answer.json()).toMatchObject({ error: { code: -32_602 } });
    });

    it('call tools of a team, which learns who they are', async () => {
      const resultOf = async (name: string) =>
        outcomeOf(await machine.mcp(token, 'tools/call', call(name)));
      const account = `client:${machine.id}`;
      expect(await resultOf('team_machines')).toEqual({ clientId: machine.id, account });
      expect(await resultOf('team_both')).toEqual({ app: 'Robot' });
      expect(await resultOf('team_asks')).toMatch(/question for a person/);
      const ofPerson = await app.mcp(personal, 'tools/call', call('team_machines'));
      expect(outcomeOf(ofPerson)).toMatch(/^This tool is for machine clients only;/);
      await eventually(async () =>
        expect(await eventsOf(machine.id)).toEqual(
          expect.arrayContaining(['tool-called: team_both: done']),
        ),
      );
    });

    it('need the scopes of the tools that they may use', async () => {
      const narrow = await machine.token({ scope: 'code:run' });
      const answer = await machine.mcp(narrow, 'tools/call', call('team_both'));
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        403,
        expect.stringContaining('error="insufficient_scope"'),
      ]);
    });

    it('have a budget of their own, which administrators set', async () => {
      const run = async () =>
        outcomeOf(await machine.mcp(token, 'tools/call', call('run_code', { code: 'return 6' })));
      expect(await run()).toMatchObject({ value: 6 });
      const shown = await admin.json<{ used: number }>('budget', 'show', '--client', machine.id);
      expect(shown).toEqual({
        client: machine.id,
        used: expect.any(Number),
        limit: 1000,
        resetsAt: expect.any(String),
        ownLimit: null,
      });
      expect(shown.used).toBeGreaterThan(0);
      expect((await browser.me()).budget).toMatchObject({ used: 0 });
      await admin.json('budget', 'set', '--client', machine.id, '2');
      expect(await run()).toMatch(
        /of this client's daily budget and \d are left; try again after /,
      );
      const person = await app.mcp(personal, 'tools/call', call('run_code', { code: 'return 6' }));
      expect(outcomeOf(person)).toMatchObject({ value: 6 });
      await admin.json('budget', 'set', '--client', machine.id, 'default');
      const fresh = await admin.json('budget', 'reset', '--client', machine.id, '--yes');
      expect(fresh).toMatchObject({ used: 0, limit: 1000, ownLimit: null });
      expect(await run()).toMatchObject({ value: 6 });
    });

    it('use no route for people', async () => {
      const bearer = { authorization: `Bearer ${token}` };
      const answer = await browser.send('GET', '/team/bearer', undefined, bearer);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('for people')]);
      const anyone = new Browser(gatehouse);
      expect((await anyone.send('GET', '/svc/me/apps', undefined, bearer)).status).toBe(401);
    });

    it('listen to nothing', async () => {
      const listen = { _meta: META, notifications: { toolsListChanged: true } };
      const answer = await browser.post(
        '/svc/mcp',
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: listen }),
        {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
      );
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"notifications":{}');
    });
  });

  describe('end', () => {
    const statusesOf = async (machine: MachineClient, tokens: readonly string[]) => {
      const answers = await Promise.all(tokens.map((token) => machine.mcp(token)));
      return [...new Set(answers.map(({ status }) => status))];
    };

    it('with their deletion, and their tokens with them', async () => {
      const machine = await MachineClient.create(gatehouse, admin);
      const token = await machine.token();
      await admin.json('budget', 'set', '--client', machine.id, '5');
      await admin.text('clients', 'delete', machine.id, '--yes');
      expect(await statusesOf(machine, [token])).toEqual([401]);
      expect(errorOf(await machine.issue())).toEqual([401, 'invalid_client']);
      const gone = await admin.run('budget', 'show', '--client', machine.id);
      expect(gone).toEqual({ code: 1, stdout: '', stderr: 'there is no client of that id\n' });
    });

    it('while they are blocked', async () => {
      const machine = await MachineClient.create(gatehouse, admin);
      const token = await machine.token();
      await admin.text('clients', 'block', machine.id, '--yes');
      expect(await statusesOf(machine, [token])).toEqual([401]);
      expect(errorOf(await machine.issue())).toEqual([400, 'unauthorized_client']);
      await admin.text('clients', 'unblock', machine.id);
      expect(await statusesOf(machine, [token])).toEqual([200]);
    });

    it.each([
      ['deletion', ['clients', 'delete']],
      ['block', ['clients', 'block']],
    ])('whatever is issued at the moment of a %s is worth nothing', async (_what, command) => {
      const machine = await MachineClient.create(gatehouse, admin);
      const issuing = Array.from({ length: 24 }, () => machine.issue());
      await issuing[0];
      const [answers] = await Promise.all([
        Promise.all(issuing.concat(Array.from({ length: 24 }, () => machine.issue()))),
        admin.text(...command, machine.id, '--yes'),
      ]);
      const issued = answers.filter(({ status }) => status === 200);
      expect(issued.length).toBeGreaterThan(0);
      const tokens = issued.map((answer) => answer.json<{ access_token: string }>().access_token);
      expect(await statusesOf(machine, tokens)).toEqual([401]);
      expect((await machine.issue()).status).not.toBe(200);
    });

    it('their old secret with a new one', async () => {
      const machine = await MachineClient.create(gatehouse, admin);
      const { secret } = await admin.json<{ secret: string }>(
        'clients',
        'rotate-secret',
        machine.id,
        '--yes',
      );
      expect((await machine.issue()).status).toBe(401);
      const renewed = MachineClient.with(gatehouse, { clientId: machine.id, clientSecret: secret });
      expect((await renewed.issue()).status).toBe(200);
    });
  });

  it('are announced', async () => {
    const metadata = (await browser.get(METADATA)).json();
    expect(metadata['grant_types_supported']).toEqual([
      'authorization_code',
      'refresh_token',
      'client_credentials',
    ]);
    const machine = await MachineClient.create(gatehouse, admin);
    expect(await extensionsAt(gatehouse, await machine.token())).toEqual({ [EXTENSION]: {} });
  });

  describe('with MACHINE_CLIENTS unset', () => {
    const off = useGatehouse(() => startGatehouse({}, gatehouse, [extension]));

    it('get no token, and those that they have are not taken', async () => {
      const machine = await MachineClient.create(gatehouse, admin);
      const token = await machine.token();
      const elsewhere = machine.at(off);
      expect((await elsewhere.mcp(token)).status).toBe(401);
      expect(errorOf(await elsewhere.issue())).toEqual([400, 'unauthorized_client']);
      expect(errorOf(await elsewhere.request({ token }))).toEqual([400, 'unauthorized_client']);
      const asking = OAuthClient.published(off, machine.id);
      const shown = await new Browser(off).get(asking.authorizePath());
      expect([shown.status, shown.headers.location]).toEqual([400, undefined]);
    });

    it('cannot be made', async () => {
      const made = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', 'code:run'];
      expect(await new Admin(off, [extension]).run(...made)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'machine clients are off; set MACHINE_CLIENTS=on\n',
      });
    });

    it('all other answers are as before', async () => {
      const metadata = (await new Browser(off).get(METADATA)).json();
      expect(metadata['grant_types_supported']).toEqual(['authorization_code', 'refresh_token']);
      const known = (await browser.get(METADATA)).text.replace(',"client_credentials"', '');
      expect(JSON.stringify(metadata)).toBe(known.replaceAll(gatehouse.origin, off.origin));
      const app = await OAuthClient.register(off);
      expect(errorOf(await app.token({ grant_type: 'client_credentials' }))).toEqual([
        400,
        'unsupported_grant_type',
      ]);
      const visitor = new Browser(off);
      await visitor.signUp();
      const { access_token: token } = await app.connect(visitor, SCOPES);
      expect(await extensionsAt(off, token)).toBeUndefined();
      const tools = await namesOf(app.mcp(token));
      expect(tools).toEqual(expect.arrayContaining(['run_code', 'account_status']));
    });
  });
});

/** `capabilities.extensions` of `server/discover`. */
async function extensionsAt(gatehouse: Gatehouse, token: string) {
  const answer = await new Browser(gatehouse).post(
    '/svc/mcp',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } }),
    {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    },
  );
  const { result } = answer.json<{ result: { capabilities: { extensions?: object } } }>();
  return result.capabilities.extensions;
}
