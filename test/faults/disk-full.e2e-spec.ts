import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Browser } from '../support/browser.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { findFreePort, findProgram } from '#libs/platform/testing';

const run = promisify(execFile);

const missing =
  globalThis.STORAGE !== 'embedded'
    ? 'left out where SQLite is not alone'
    : findProgram('prlimit') === undefined
      ? 'left out: prlimit is not installed'
      : undefined;

/** Like `describe`, but skipped, with the reason in the title. */
const describeHere = (title: string, body: () => void) =>
  missing === undefined ? describe(title, body) : describe.skip(`${title} (${missing})`, body);

describeHere('with no room left on the disk of SQLite', () => {
  let server: BuiltServer;
  let managementPort: number;

  beforeAll(async () => {
    managementPort = await findFreePort();
    server = await startBuiltServer({
      RATE_LIMIT_MAX: '1000000',
      MANAGEMENT_PORT: String(managementPort),
    });
  });
  afterAll(() => server.stop());

  /** Limits the size of every file that the server writes; the limit can be removed again. */
  const limitFiles = (bytes: string) =>
    run('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:unlimited`]);

  const refusedWrites = async () => {
    const { text } = await call(managementPort, { method: 'GET', path: '/metrics' });
    const ofDatabase = { storage: 'database' };
    return valueOf(parseMetrics(text), 'gatehouse_refused_writes_total', ofDatabase);
  };

  it('what writes is 503, what reads goes on, nothing is lost, and it comes back by itself', async () => {
    const browser = new Browser(server);
    await browser.signUp();
    const client = await OAuthClient.register(server);
    const tokens = await client.connect(browser);
    const users = await server.countUsers();
    const attestation = await new Browser(server).attest();
    const assertion = await browser.assert();
    expect(await refusedWrites()).toBe(0);
    await limitFiles('0');

    const answers = [
      await browser.post('/svc/auth/register/verify', attestation),
      await browser.post('/svc/auth/login/verify', assertion),
      await browser.get(client.authorizePath()),
      await client.refresh(tokens.refresh_token),
      await client.send(
        'POST',
        '/svc/oauth/register',
        '{"redirect_uris":["https://app.example/cb"]}',
      ),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([503, expect.any(String)]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).not.toMatch(/sqlite|INSERT|node_modules/i);
    }
    expect((await browser.me()).user?.displayName).toBe('Ann');
    expect((await client.mcp(tokens.access_token)).status).toBe(200);

    expect(await refusedWrites()).toBeGreaterThan(0);

    await limitFiles('unlimited');
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await browser.signIn()).status).toBe(200);
    await client.connect(browser);
    expect(await server.countUsers()).toBe(users);
    expect((await new Browser(server).signUp()).status).toBe(200);
    expect(await server.countUsers()).toBe(users + 1);
  });
});
