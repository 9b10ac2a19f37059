import { ADMIN_TOKEN } from '../support/admin-api.js';
import { ServerProcess, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';

describe('ADMIN_TOKEN of the built service (contract: Administration)', () => {
  it('is in no log, whatever is sent, and neither is a wrong one; each request has a line', async () => {
    const wrong = ADMIN_TOKEN.replaceAll('-', '_');
    const server = await startBuiltServer({
      ADMIN_TOKEN,
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'trace',
    });
    const log = () => server.process.stdout + server.process.stderr;
    const port = await eventually(() => {
      const [, listening] = /\/metrics are on \S+ port (\d+)/.exec(log()) ?? [];
      expect(listening).toBeDefined();
      return Number(listening);
    });
    for (const token of [ADMIN_TOKEN, wrong]) {
      for (const path of ['users', `users?search=${token}`, token, 'users/x/enable']) {
        for (const method of ['GET', 'POST']) {
          const headers = { authorization: `Bearer ${token}` };
          await call(port, { method, path: `/admin/${path}`, headers, body: token });
        }
      }
    }
    await eventually(() => expect(log()).toContain('admin-token-refused'));
    const asked = { method: 'POST', path: '/admin/users/x/enable' };
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const { headers: told } = await call(port, { ...asked, headers });
    await eventually(() => {
      const lines = log()
        .split('\n')
        .filter((line) => line.includes('"route"'));
      expect(lines).toHaveLength(17);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        level: 'info',
        context: 'Administration',
        requestId: told['x-request-id'],
        actor: 'admin-api',
        method: 'POST',
        route: '/admin/users/:id/enable',
        status: 404,
        durationMs: expect.any(Number),
      });
    });
    await server.stop();
    expect([log().includes(ADMIN_TOKEN), log().includes(wrong)]).toEqual([false, false]);
  });

  it.each([
    ['without MANAGEMENT_PORT', { ADMIN_TOKEN }, 'ADMIN_TOKEN takes effect with MANAGEMENT_PORT'],
    ['too short', { ADMIN_TOKEN: 'hunter2', MANAGEMENT_PORT: '0' }, 'ADMIN_TOKEN takes 32'],
  ])(
    'ends the start when it is %s: one line, which does not repeat it',
    async (_what, set, line) => {
      const server = new ServerProcess({ PORT: '0', DATABASE_URL: 'sqlite:/dev/null/x', ...set });
      expect(await server.exitCode()).toBe(1);
      expect(server.stdout).toBe('');
      expect(server.stderr).toMatch(/^[^\n]+\n$/);
      expect(server.stderr).toContain(line);
      expect(server.stderr).not.toContain(set.ADMIN_TOKEN);
    },
  );
});
