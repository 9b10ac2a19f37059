import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { call, requestHead } from '../support/http.js';

const me = (port: number) => call(port, { method: 'GET', path: '/svc/auth/me' });

describe('the process', () => {
  let server: BuiltServer;

  describe('that serves', () => {
    beforeEach(async () => {
      server = await startBuiltServer({ SHUTDOWN_GRACE: '300' });
    });
    afterEach(() => server.stop());

    it('says in its log where it listens, one JSON object a line, and nothing on stderr', async () => {
      await eventually(() => {
        const lines = server.process.stdout.trimEnd().split('\n');
        const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
        expect(messages).toContainEqual(expect.stringContaining(`port ${server.port}`));
        expect(messages).toContainEqual(expect.stringContaining(server.origin));
      });
      expect((await me(server.port)).status).toBe(200);
      expect(server.process.stderr).toBe('');
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 on %s', async (signal) => {
      server.process.signal(signal);
      expect(await server.process.exitCode()).toBe(0);
      expect(server.process.stderr).toBe('');
    });

    it('does not wait for a connection that idles', async () => {
      const idle = connect(server.port, '127.0.0.1');
      idle.write(`GET /svc/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(idle, 'data');
      server.process.signal('SIGTERM');
      expect(await server.process.exitCode()).toBe(0);
      idle.destroy();
    });

    it('answers a request that is under way before it ends', async () => {
      const slow = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      const head = ['Host: localhost', 'Content-Length: 2'];
      slow.write(requestHead('POST /svc/auth/login/options HTTP/1.1', ...head));
      await me(server.port);
      server.process.signal('SIGTERM');
      await eventually(() => expect(me(server.port)).rejects.toThrow());
      slow.write('{}');
      expect(await text(slow)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await server.process.exitCode()).toBe(0);
    });
  });
});
