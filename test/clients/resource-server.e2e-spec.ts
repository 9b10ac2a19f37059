import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type Answer, call } from '../support/http.js';
import { type IssuedMachine, MachineClient, MACHINES } from '../support/machine-client.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import { connectTo, type ListedResource, ResourceFiles } from '../support/resource-files.js';
import { Approver } from './approver.js';
import { OutsideClient } from './outside-client.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = `${ROOT}examples/resource-server/`;
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'whose_notes', arguments: {} },
});
const METADATA = {
  client_name: 'Outside client',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
};

/** A port that is known before the server behind it has one. */
class Front {
  target = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(): Promise<Front> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new Front(server, (server.address() as AddressInfo).port);
    server.on('connection', (near) => {
      const far = connect(front.target, '127.0.0.1');
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    return front;
  }

  close() {
    this.server.close();
  }
}

const resourceAt = (port: number, tokens: 'jwt' | 'opaque', name: string): ListedResource => ({
  resource: `http://localhost:${port}/mcp`,
  name,
  scopes: [{ name: `${name}:read`, description: `read your ${name}` }],
  tokens,
  introspection: { clientId: `${name}-server`, secret: `the secret of ${name}` },
});

describe.each([
  ['introspection', 'opaque'],
  ['introspection', 'jwt'],
  ['jwt', 'jwt'],
] as const)('examples/resource-server by %s of %s tokens', (check, tokens) => {
  let files: ResourceFiles;
  let front: Front;
  let notes: ListedResource;
  let others: ListedResource;
  let gatehouse: Gatehouse;
  let admin: Admin;
  let server: ServerProcess;
  let browser: Browser;
  let userId: string;

  const ask = (token?: string, message = LIST): Promise<Answer> =>
    call(front.port, {
      method: 'POST',
      path: '/mcp',
      headers: {
        host: `localhost:${front.port}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: message,
    });
  const expectRefused = async (token: string) => {
    const { status, headers } = await ask(token);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  };

  beforeAll(async () => {
    front = await Front.open();
    notes = resourceAt(front.port, tokens, 'notes');
    others = { ...resourceAt(1, tokens, 'others'), resource: 'https://others.example/mcp' };
    files = await ResourceFiles.of(notes, others);
    const settings = { ...files.variables, ...MACHINES };
    gatehouse = await startGatehouse(settings);
    admin = new Admin(gatehouse, [], settings);
    const variables = {
      RESOURCE: notes.resource,
      ISSUER: gatehouse.origin,
      CHECK: check,
      PORT: '0',
      ...(check === 'introspection' && {
        CLIENT_ID: notes.introspection?.clientId ?? '',
        CLIENT_SECRET: notes.introspection?.secret ?? '',
      }),
    };
    server = new ServerProcess(variables, [`${EXAMPLE}server.mjs`]);
    front.target = await server.port();
    browser = new Browser(gatehouse);
    ({
      user: { id: userId },
    } = (await browser.signUp()).json<{ user: { id: string } }>());
  });
  afterAll(async () => {
    await server.kill();
    front.close();
    await gatehouse.stop();
    files.remove();
  });

  it.each(['mcp-sdk', 'mcp-client'])(
    '%s gets a token for it by itself and calls its tool',
    async (driver) => {
      const approver = await Approver.create(gatehouse);
      const client = new OutsideClient(
        driver,
        { mcpUrl: notes.resource, metadata: METADATA },
        approver,
      );
      try {
        const { content, isError } = await client.call('whose_notes');
        const { user } = await approver.browser.me();
        expect([isError ?? false, content[0]?.text]).toEqual([false, user?.id]);
        expect(client.visits).toHaveLength(1);
        const asked = client.visits[0]?.searchParams;
        expect([asked?.get('resource'), asked?.get('scope')]).toEqual([
          notes.resource,
          'notes:read',
        ]);
      } finally {
        await client.stop();
      }
    },
  );

  it('does not ask about what does not look like a token', async () => {
    const asked: (string | undefined)[] = [];
    const listener = ({ url }: { url?: string }) => asked.push(url);
    gatehouse.app.getHttpServer().on('request', listener);
    try {
      for (const text of ['x', 'x'.repeat(44), 'a.b', 'a.b.c.d']) await expectRefused(text);
    } finally {
      gatehouse.app.getHttpServer().off('request', listener);
    }
    expect(asked).toEqual([]);
  });

  it('tells a client without a token where to get one', async () => {
    const { status, headers } = await ask();
    const document = `http://localhost:${front.port}/.well-known/oauth-protected-resource/mcp`;
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${document}"`),
    ]);
    expect(await (await fetch(document)).json()).toMatchObject({
      resource: notes.resource,
      authorization_servers: [gatehouse.origin],
      scopes_supported: ['notes:read'],
    });
    const resource = new URL(notes.resource);
    const found = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, { [oauth.allowInsecureRequests]: true }),
    );
    expect(found.authorization_servers).toEqual([gatehouse.origin]);
  });

  it('takes a token of its own, and none of another resource or issuer', async () => {
    const { access_token: token } = await connectTo(gatehouse, browser, notes);
    expect((await ask(token)).status).toBe(200);
    const { access_token: ofOthers } = await connectTo(gatehouse, browser, others);
    await expectRefused(ofOthers);
    const { access_token: ofMcp } = await (await OAuthClient.register(gatehouse)).connect(browser);
    await expectRefused(ofMcp);

    const stranger = await ResourceFiles.of(notes);
    const elsewhere = await startGatehouse(stranger.variables);
    try {
      const visitor = new Browser(elsewhere);
      await visitor.signUp();
      const { access_token: foreign } = await connectTo(elsewhere, visitor, notes);
      await expectRefused(foreign);
    } finally {
      await elsewhere.stop();
      stranger.remove();
    }
  });

  it('takes no forged token', async () => {
    const { access_token: token } = await connectTo(gatehouse, browser, notes);
    await expectRefused(`${token}x`);
    await expectRefused('x'.repeat(43));
    await expectRefused('eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.x');
    if (tokens === 'opaque') return;
    const [claims, header] = [decodeJwt(token), decodeProtectedHeader(token)];
    const foreign = await ResourceFiles.of();
    const key = createPrivateKey({ key: foreign.keys()[0] as never, format: 'jwk' });
    foreign.remove();
    const forged = new SignJWT(claims).setProtectedHeader({ ...header, alg: 'ES256' });
    await expectRefused(await forged.sign(key));
  });

  it(`a token that was revoked is ${check === 'jwt' ? 'good until its time is over' : 'refused at once'}`, async () => {
    const { access_token: token, client } = await connectTo(gatehouse, browser, notes);
    expect((await ask(token)).status).toBe(200);
    await client.revoke(token);
    expect((await ask(token)).status).toBe(check === 'jwt' ? 200 : 401);
  });

  it('knows whose token it is', async () => {
    const { access_token: token } = await connectTo(gatehouse, browser, notes);
    const answer = await ask(token, CALL);
    expect(answer.text).toContain(userId);
  });

  it('takes tokens of machine clients for it, and of no others', async () => {
    const machineFor = async (...more: string[]) => {
      const made = ['clients', 'create', '--machine', '--name', 'Robot', ...more];
      return MachineClient.with(gatehouse, await admin.json<IssuedMachine>(...made));
    };
    const machine = await machineFor('--scope', 'notes:read', '--resource', notes.resource);
    const answer = await ask(await machine.token(), CALL);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(machine.id)]);
    await expectRefused(await (await machineFor('--scope', 'code:run')).token());
  });
});

describe('documents of the example', () => {
  const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
  const sources = ['server', 'jwt', 'introspection'].map((name) =>
    read(`examples/resource-server/${name}.mjs`),
  );

  it('examples/resource-server/README.md names the variables that it reads', () => {
    const commands = read('examples/resource-server/README.md').match(/^.*npm start$/gm) ?? [];
    const named = [...commands.join(' ').matchAll(/([A-Z_]+)=/g)];
    const readHere = [...sources.join('').matchAll(/const \{ (.+) \} = process\.env/g)];
    const names = readHere.flatMap(([, list = '']) =>
      list.replaceAll(/ = '[^']*'/g, '').split(', '),
    );
    expect([...new Set(named.map(([, name]) => name)), 'HOST', 'PORT'].toSorted()).toEqual(
      names.toSorted(),
    );
  });

  it('docs/guides/resources.md shows lines of it', () => {
    const shown = [...read('docs/guides/resources.md').matchAll(/^```js\n([^]*?)^```$/gm)];
    const lines = sources.flatMap((text) => text.split('\n').map((line) => line.trim()));
    expect(shown).toHaveLength(2);
    for (const line of shown.flatMap(([, text = '']) => text.trim().split('\n'))) {
      expect(lines).toContain(line);
    }
  });
});
