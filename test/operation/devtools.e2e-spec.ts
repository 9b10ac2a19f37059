import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Provider } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { DevtoolsModule } from '@nestjs/devtools-integration';
import { DevtoolsListenerService } from '../../apps/server/src/observability/devtools/devtools-listener.service.js';
import { Browser } from '../support/browser.js';
import { startBuiltServer } from '../support/built-server.js';
import { builtFile } from '../support/built-file.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';

const SNAPSHOT = '/inspector/graph/snapshot';
const FRONT_END = 'https://devtools.nestjs.com';
const ADMIN_TOKEN = 'correct-horse-battery-staple-0123';

interface Graph {
  readonly nodes: Record<string, { label: string; metadata: { type: string } }>;
  readonly edges: Record<string, unknown>;
  readonly entrypoints: Record<string, unknown>;
  readonly status: string;
}

const accepts = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Loads before the service and lets it find no Nest Devtools. */
const WITHOUT_PACKAGE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name === '@nestjs/devtools-integration' ? '@nestjs/not-installed' : name, context),
  });
`)}`;

describe('Nest Devtools', () => {
  const gatehouse = useGatehouse(() =>
    startGatehouse({ DEVTOOLS_PORT: '0', MANAGEMENT_PORT: '0', ADMIN_TOKEN }),
  );
  let port: number;

  type Headers = Record<string, string | string[]>;
  const ask = (headers: Headers = {}, path = SNAPSHOT, method = 'GET') =>
    call(port, { method, path, headers: { host: `127.0.0.1:${port}`, ...headers } });

  beforeAll(async () => {
    ({ port } = gatehouse.app.get(DevtoolsListenerService, { strict: false }));
  });

  it('show the graph as their front end reads it, without values', async () => {
    const answer = await ask({ origin: FRONT_END });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([
      200,
      FRONT_END,
    ]);
    const { nodes, edges, entrypoints, status } = answer.json() as unknown as Graph;
    const labels = Object.values(nodes).map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['AppModule', 'AccountsModule', 'UserDirectoryService']),
    );
    expect(status).toBe('complete');
    expect(Object.keys(edges).length).toBeGreaterThan(100);
    expect(JSON.stringify(entrypoints)).toContain('/svc/auth/me');
    expect(answer.text).not.toContain(ADMIN_TOKEN);
    for (const value of Object.values(gatehouse.storage.environment)) {
      expect(answer.text).not.toContain(value);
    }
  });

  it('leave the service as it is', async () => {
    const browser = new Browser(gatehouse);
    expect((await browser.signUp()).status).toBe(200);
    expect((await browser.get('/svc/me/sessions')).status).toBe(200);
    expect((await browser.get(SNAPSHOT)).status).toBe(404);
  });

  it.each<[number, string, Headers]>([
    [200, 'no origin', {}],
    [200, 'localhost', { host: 'localhost:9000' }],
    [200, 'an address of the loopback interface', { host: '[::1]' }],
    [421, 'a name that leads here', { host: 'rebound.example' }],
    [421, 'a name that ends almost as a loopback name', { host: 'localhost.rebound.example' }],
    [421, 'an address elsewhere', { host: '192.0.2.1' }],
    [421, 'an address elsewhere, with the right origin', { host: '192.0.2.1', origin: FRONT_END }],
    [403, 'another origin', { origin: 'https://evil.example' }],
    [403, 'a page of this machine', { origin: 'http://localhost:4000' }],
    [403, 'an opaque origin', { origin: 'null' }],
    [403, 'an empty origin', { origin: '' }],
    [403, 'the origin over http', { origin: 'http://devtools.nestjs.com' }],
    [403, 'an origin that begins as theirs', { origin: `${FRONT_END}.evil.example` }],
    [403, 'two origins', { origin: [FRONT_END, 'https://evil.example'] }],
  ])('%i | %s', async (status, _what, headers) => {
    const answer = await ask(headers);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.text).not.toContain('AppModule');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('answer a preflight of their front end alone', async () => {
    const asked = { 'access-control-request-method': 'GET' };
    const own = await ask({ origin: FRONT_END, ...asked }, SNAPSHOT, 'OPTIONS');
    expect([own.status, own.text]).toEqual([204, '']);
    expect(own.headers).toMatchObject({
      'access-control-allow-origin': FRONT_END,
      'access-control-allow-methods': 'GET',
    });
    const other = await ask({ origin: 'https://evil.example', ...asked }, SNAPSHOT, 'OPTIONS');
    expect(other.status).toBe(403);
  });

  it('have nothing else, and run no code', async () => {
    for (const path of ['/', '/inspector/graph/interact', `${SNAPSHOT}/`, `${SNAPSHOT}?x`]) {
      for (const method of ['GET', 'POST']) {
        expect([path, (await ask({ origin: FRONT_END }, path, method)).status]).toEqual([
          path,
          404,
        ]);
      }
    }
    expect((await ask({}, SNAPSHOT, 'POST')).status).toBe(405);
    const provided = Reflect.getMetadata(MODULE_METADATA.PROVIDERS, DevtoolsModule) as Provider[];
    const tokens = provided.map((one) => (typeof one === 'function' ? one : one.provide));
    expect(tokens.length).toBeGreaterThan(2);
    for (const token of tokens) expect(gatehouse.app.get(token, { strict: false })).toEqual({});
  });

  it('listen on one address', async () => {
    expect(await accepts('127.0.0.1', port)).toBe(true);
    const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address).filter((address) => address !== '127.0.0.1'),
    );
    for (const host of ['127.0.0.2', '::1', ...others]) {
      expect([host, await accepts(host, port)]).toEqual([host, false]);
    }
  });

  it('are not there without DEVTOOLS_PORT', async () => {
    const other = await startGatehouse();
    expect(() => other.app.get(DevtoolsListenerService, { strict: false })).toThrow();
    await other.stop();
  });

  it('are one warning where their package is not installed, and the service starts', async () => {
    const script = ['--import', WITHOUT_PACKAGE, builtFile('main.js'), 'start'];
    const server = await startBuiltServer({ DEVTOOLS_PORT: '0' }, script);
    const lines = server.process.stdout.split('\n').filter((line) => /devtools/i.test(line));
    expect(lines).toEqual([
      expect.stringContaining('npm install @nestjs/devtools-integration@12 installs them'),
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', context: 'Devtools' });
    await server.stop();
  });

  it('developer tools are announced in one line of a process, and their port can be taken', async () => {
    const server = await startBuiltServer({ DEVTOOLS_PORT: '0' });
    const told = /the graph of the application is at http:\/\/127\.0\.0\.1:(\d+)\//;
    const [, taken = ''] = told.exec(server.process.stdout) ?? [];
    await expect(startBuiltServer({ DEVTOOLS_PORT: taken })).rejects.toThrow(
      /EADDRINUSE.*: set PORT, MANAGEMENT_PORT or DEVTOOLS_PORT/,
    );
    expect(server.process.stdout).not.toMatch(/token/i);
    await server.stop();
  });
});
