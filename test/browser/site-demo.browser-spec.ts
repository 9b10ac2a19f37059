import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { call, exchange, requestHead } from '../support/http.js';
import { demoVariables, ROOT, startDemo } from './site-fixture.js';

/** `npm run demo` at a terminal: npm and its children are one process group. */
async function runFromTerminal(variables: Readonly<Record<string, string>>) {
  const { env, dispose } = await demoVariables(variables);
  const npm = spawn('npm', ['run', '--silent', 'demo'], { cwd: ROOT, env, detached: true });
  const ended = once(npm, 'close');
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  npm.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const signalAll = (signal: NodeJS.Signals) => process.kill(-(npm.pid ?? 0), signal);
  return {
    output: () => output,
    serves: async () => {
      while (!output.includes('To stop')) {
        if (npm.exitCode !== null) throw new Error(output);
        await Promise.race([once(npm.stdout, 'data'), ended]);
      }
    },
    pressCtrlC: () => signalAll('SIGINT'),
    exitCode: async () => {
      await ended;
      return npm.exitCode;
    },
    killRemaining: () => {
      try {
        signalAll('SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    dispose,
  };
}

describe('npm run demo', () => {
  describe('serves', () => {
    let demo: Awaited<ReturnType<typeof startDemo>>;
    let port: number;

    beforeAll(async () => {
      demo = await startDemo();
      port = Number(new URL(demo.origin).port);
    });
    afterAll(() => demo.stop());

    const ask = (path: string, method = 'GET', headers = {}) =>
      call(port, { method, path, headers: { host: `localhost:${port}`, ...headers } });

    it('names the page, the account page and the MCP address, and logs nothing beside', () => {
      expect(demo.output()).toContain(`http://localhost:${port}\n`);
      expect(demo.output()).toContain(`http://localhost:${port}/svc/account\n`);
      expect(demo.output()).toContain(`http://localhost:${port}/svc/mcp\n`);
      expect(demo.output().trim().split('\n')).toHaveLength(5);
    });

    it('the files of the site, each with its type and the policy', async () => {
      const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
      const names = globSync('**/*.*', { cwd: `${ROOT}/examples/site` });
      expect(names).toEqual(expect.arrayContaining(['elements.js', 'tasks/main.js']));
      for (const name of ['', '?x=1', 'tasks', 'tasks/', 'tasks/?x=1', 'connect/', ...names]) {
        const { status, headers } = await ask(`/${name}`);
        const ending = name.split('.')[1]?.split('?')[0] ?? 'html';
        const type = types[ending as keyof typeof types] ?? 'image/svg+xml';
        expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(headers['content-security-policy']).not.toContain('unsafe');
        expect(headers['cache-control']).toBe('no-store');
      }
    });

    it('the tasks at /, /tasks and /tasks/', async () => {
      const pages = await Promise.all(['/', '/tasks', '/tasks/'].map((path) => ask(path)));
      for (const { text } of pages) expect(text).toContain('<title>Tasks</title>');
    });

    it('HEAD without a body, and no other method', async () => {
      const head = await ask('/', 'HEAD');
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
      const post = await ask('/', 'POST');
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    });

    it.each([
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/tasks%2fmain.js',
      '/elements.js%00.html',
      'http://localhost/elements.js',
      '*',
    ])('nothing at %s', async (path) => {
      const { status, text } = await exchange(
        port,
        requestHead(`GET ${path} HTTP/1.1`, `Host: localhost:${port}`),
      );
      expect([status, text]).toEqual([404, expect.stringContaining('no such page')]);
    });

    it('the service, whose origin is the one of the page whatever a visitor says', async () => {
      const { status, text } = await ask('/.well-known/oauth-authorization-server', 'GET', {
        'x-forwarded-host': ['evil.example', 'localhost'],
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '203.0.113.7',
      });
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ issuer: demo.origin });
    });

    it('its refusals: another host, another site, an upgrade without session or elsewhere', async () => {
      expect((await ask('/svc/auth/me', 'GET', { host: 'evil.example' })).status).toBe(421);
      const foreign = { origin: 'http://evil.example' };
      expect((await ask('/svc/auth/logout', 'POST', foreign)).status).toBe(403);
      const upgrade = [
        `Host: localhost:${port}`,
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ];
      const open = (path: string) =>
        exchange(
          port,
          [`GET ${path} HTTP/1.1`, ...upgrade, 'Connection: Upgrade', '', ''].join('\r\n'),
        );
      expect((await open('/svc/me/tabs')).status).toBe(401);
      expect((await open('/elsewhere')).status).toBe(404);
    });

    it('a request that offers HTTP/2, as any other', async () => {
      const offer = ['Connection: Upgrade, close', 'Upgrade: h2c', `Host: localhost:${port}`];
      for (const path of ['/', '/svc/auth/me']) {
        const head = [`GET ${path} HTTP/1.1`, ...offer, '', ''].join('\r\n');
        expect((await exchange(port, head)).status).toBe(200);
      }
    });

    it('others, when a visitor breaks off in the middle of an upgrade', async () => {
      const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', `Host: localhost:${port}`];
      for (const path of ['/elsewhere', '/svc/me/tabs']) {
        const head = [`GET ${path} HTTP/1.1`, ...upgrade, '', ''].join('\r\n');
        for (let round = 0; round < 20; round += 1) {
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => undefined);
          await once(socket, 'connect');
          socket.write(head + 'x'.repeat(round * 1000), () => socket.resetAndDestroy());
          await once(socket, 'close');
        }
      }
      expect((await ask('/svc/auth/me')).status).toBe(200);
    });

    it('says which port is taken, and how to choose another one', async () => {
      const second = await runFromTerminal({ PORT: String(port) });
      expect(await second.exitCode()).toBe(1);
      expect(second.output()).toMatch(
        new RegExp(`^Port ${port} is taken .*PORT=${port + 1} npm run demo\n$`),
      );
      await second.dispose();
    });
  });

  it.each(['70000'])('says what PORT takes when it is %s', async (value) => {
    const demo = await runFromTerminal({ PORT: value });
    expect(await demo.exitCode()).toBe(1);
    expect(demo.output()).toBe('PORT takes a number from 0 to 65535.\n');
    await demo.dispose();
  });

  it('logs its own address where it logs any, and not that of the service behind it', async () => {
    const demo = await startDemo({ LOG_LEVEL: 'info' });
    const lines = demo
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    await demo.stop();
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual([
      expect.stringMatching(
        `^Gatehouse listens on 127.0.0.1 port \\d+, behind port ${new URL(demo.origin).port}$`,
      ),
      `account page: ${demo.origin}/svc/account`,
      `MCP address: ${demo.origin}/svc/mcp`,
      'browsers run passkeys on localhost, never on 127.0.0.1',
    ]);
  });

  it('leaves no process behind after Ctrl-C', async () => {
    const demo = await runFromTerminal({ PORT: '0' });
    try {
      await demo.serves();
      demo.pressCtrlC();
      await demo.exitCode();
    } finally {
      expect(demo.killRemaining()).toBe(false);
      await demo.dispose();
    }
  });
});
