import { once } from 'node:events';
import { IncomingMessage, request, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { endWithAccess } from '#libs/accounts';
import { bearer, SCOPES } from '../../oauth/src/testbed/protected-resource.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';

const METADATA = '/.well-known/oauth-protected-resource/svc/mcp';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('protected resource (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start();
    await server.give('good');
  });
  afterAll(() => server.close());

  const challengeOf = (response: Response) => response.headers.get('www-authenticate') ?? '';
  const authorized = (authorization: string, path = '/svc/mcp') =>
    server.fetch(path, { method: 'POST', headers: { Authorization: authorization } });

  it('describes itself', async () => {
    const response = await server.fetch(METADATA);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      resource: `${server.origin}/svc/mcp`,
      authorization_servers: [server.origin],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse',
    });
  });

  it('describes itself on every origin it answers at', async () => {
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    const document = await (await fetch(origin + METADATA)).json();
    expect(document).toMatchObject({
      resource: `${origin}/svc/mcp`,
      authorization_servers: [origin],
    });
  });

  it.each(['', '/', '/svc', '/svc/mcp//', '/svc/mcp/x', 's', '/svc/mcpx'])(
    'has no metadata at …%s',
    async (rest) => {
      const response = await server.fetch(`/.well-known/oauth-protected-resource${rest}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('answers HEAD and OPTIONS for its metadata, and no other method', async () => {
    const [head, options, post] = await Promise.all(
      ['HEAD', 'OPTIONS', 'POST'].map((method) => server.fetch(METADATA, { method })),
    );
    expect([head?.status, options?.status, post?.status]).toEqual([200, 204, 405]);
    expect(post?.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    for (const response of [head, options, post]) {
      expect(response?.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it.each(['/svc/mcp', '/svc/mcp/', '/svc/mcp/deeper/still/', '/svc/mcp?access_token=good'])(
    'tells who comes to %s without a token where to get one',
    async (path) => {
      const response = await server.fetch(path, { method: 'POST', body: 'access_token=good' });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toBe(
        `Bearer realm="OAuth", resource_metadata="${server.origin}${METADATA}", scope="${SCOPES.join(' ')}"`,
      );
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(await response.json()).toEqual({
        error: 'unauthorized',
        error_description: expect.stringContaining('access token is needed'),
      });
    },
  );

  it('429 | 128 requests with the token wait to begin already (contract: Load)', async () => {
    const { hostname, port } = new URL(server.origin);
    const text = `GET /svc/mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${bearer('good')}\r\n\r\n`;
    const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => {
      let received = '';
      for await (const chunk of socket) {
        received += String(chunk);
        if (received.split('HTTP/1.1 ').length > 90 && received.endsWith('}')) break;
      }
      return received.split('HTTP/1.1 ').slice(1);
    });
    for (const socket of sockets) socket.write(text.repeat(90));
    const all = (await Promise.all(answers)).flat();
    expect(new Set(all.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['405', '429']));
    expect(all.find((answer) => answer.startsWith('429'))).toMatch(/^Retry-After: 1\r$/m);
  });

  it('has nothing beside its path', async () => {
    const paths = ['/svc/mcpx', '/svc', '/SVC/mcp', '/svc//mcp'];
    const responses = await Promise.all(paths.map((path) => authorized(bearer('good'), path)));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it.each([
    ['unknown', () => Promise.resolve('unknown-token')],
    ['expired', () => server.give('expired', { expiresIn: -1 })],
    ['revoked', () => server.give('revoked', { revoked: true })],
    ['for another resource', () => server.give('other', { aud: 'https://x.example/svc/mcp' })],
    [
      'for a resource with more to it',
      () => server.give('slash', { aud: `${server.origin}/svc/mcp/` }),
    ],
    ['malformed', () => Promise.resolve('not a token')],
    ['endless', () => Promise.resolve('a'.repeat(5_000))],
  ])('refuses a token that is %s', async (_what, token) => {
    const response = await server.post(await token(), LIST);
    expect(response.status).toBe(401);
    expect(challengeOf(response)).toContain('error="invalid_token"');
    expect(challengeOf(response)).toContain(METADATA);
    expect(await response.json()).toEqual({
      error: 'invalid_token',
      error_description: expect.any(String),
    });
  });

  it('refuses a token at the other name of the same machine', async () => {
    const elsewhere = `${server.origin.replace('127.0.0.1', 'localhost')}/svc/mcp`;
    const response = await fetch(elsewhere, { headers: { Authorization: bearer('good') } });
    expect(response.status).toBe(401);
  });

  it('refuses two credentials at once', async () => {
    const response = await authorized(bearer('good'), '/svc/mcp?access_token=good');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
    'wants a token for %s too, and then has no use for it',
    async (method) => {
      const session = { 'Mcp-Session-Id': 'stolen', Accept: 'text/event-stream' };
      const bare = await server.fetch('/svc/mcp', { method, headers: session });
      const headers = { ...session, Authorization: bearer('good') };
      const known = await server.fetch('/svc/mcp', { method, headers });
      expect([bare.status, known.status]).toEqual([401, 405]);
      expect(known.headers.get('allow')).toBe('POST, OPTIONS');
    },
  );

  it.each(['bearer', 'BEARER'])('takes the scheme "%s"', async (scheme) => {
    const authorization = bearer('good').replace('Bearer', scheme);
    const response = await server.post('', LIST, { Authorization: authorization });
    expect(response.status).toBe(200);
  });

  it.each(['Basic Z29vZDo=', 'Bearer', 'good'])(
    'answers 401 without an error code to "%s"',
    async (value) => {
      const response = await authorized(value);
      expect(response.status).toBe(401);
      expect(challengeOf(response)).not.toContain('error=');
    },
  );

  it('passes an outage on, and calls no token bad', async () => {
    const outage = await ResourceServer.start();
    await outage.dataSource.query('DROP TABLE oauth_tokens');
    const response = await outage.post('good', LIST);
    expect(response.status).toBe(503);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
    await outage.close();
  });

  it.each(['a'.repeat(42), 'a'.repeat(44), 'a.b', 'not a token'].map((token) => [token]))(
    'looks up no token that cannot be ours: %s',
    async (token) => {
      const outage = await ResourceServer.start();
      await outage.dataSource.query('DROP TABLE oauth_tokens');
      const headers = { Authorization: `Bearer ${token}` };
      const response = await outage.fetch('/svc/mcp', { method: 'POST', headers });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toContain('error="invalid_token"');
      await outage.close();
    },
  );

  it.each(['/svc/mcp', '/svc/mcp/', '/svc/mcp/x/y'])('lets pages ask first at %s', async (path) => {
    const response = await server.fetch(path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://inspector.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toContain(
      'Authorization, Content-Type',
    );
  });

  it('lets pages read refusals', async () => {
    const response = await server.fetch('/svc/mcp', { method: 'POST' });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'WWW-Authenticate',
        'Mcp-Session-Id',
        'Mcp-Protocol-Version',
        'Retry-After',
      ]),
    );
  });

  it.each(['https://inspector.example', 'null', 'vscode-webview://x', 'not an origin'])(
    'minds the token, not the origin %s',
    async (origin) => {
      const [known, unknown] = await Promise.all([
        server.post('good', LIST, { Origin: origin }),
        server.post('unknown', LIST, { Origin: origin }),
      ]);
      expect([known?.status, unknown?.status]).toEqual([200, 401]);
    },
  );
});

describe('an exchange that is open when its grant ends (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start();
  });
  afterAll(() => server.close());

  /** A call that waits for the rest of its body, with a token whose grant has the given lifetime. */
  const open = async (token: string, grantExpiresIn: number) => {
    await server.give(token, { grantExpiresIn });
    const call = request(`${server.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        authorization: bearer(token),
        'content-type': 'application/json',
        'content-length': '2',
      },
    });
    call.write('{');
    return call;
  };

  it('ends with it', async () => {
    const call = await open('short', 2_000);
    const [error] = await once(call, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it.each([60_000, 30 * 24 * 60 * 60 * 1000])('goes on while it lasts: %i ms', async (lasts) => {
    const short = await open(`short-${lasts}`, 2_000);
    const call = await open(`long-${lasts}`, lasts);
    await once(short, 'error');
    call.end('}');
    const [answer] = await once(call, 'response');
    expect(answer.statusCode).toBeLessThan(500);
    answer.resume();
  });
});

describe('an exchange that is over', () => {
  it('keeps nothing until its grant ends, also when it was over while the grant was looked up', () => {
    jest.useFakeTimers();
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    endWithAccess(response, Date.now() + 60_000, async () => true);
    expect(jest.getTimerCount()).toBe(1);
    response.destroy().emit('close');
    expect(jest.getTimerCount()).toBe(0);
    endWithAccess(response, Date.now() + 60_000, async () => true);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
