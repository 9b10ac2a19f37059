import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { dyingWithParent, findFreePort } from '../support/services/program.js';
import { Approver } from './approver.js';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

describe('@modelcontextprotocol/conformance authorization', () => {
  let gatehouse: Gatehouse;
  let suite: ChildProcessByStdio<null, Readable, null>;

  /** Runs it; the authorization URL that it prints is answered, and its callback called. */
  const run = async (args: readonly string[], approver: Approver) => {
    const [command = '', ...rest] = [...dyingWithParent(), process.execPath, SUITE, ...args];
    suite = spawn(command, rest, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(suite, 'close');
    let output = '';
    for await (const line of createInterface(suite.stdout)) {
      output += `${line}\n`;
      if (line.startsWith(`${gatehouse.origin}/svc/oauth/authorize?`)) {
        await fetch(await approver.visit(line));
      }
    }
    const [exitCode] = (await ended) as [number];
    return { exitCode, output };
  };

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  afterEach(() => suite.kill('SIGKILL'));
  afterAll(() => gatehouse.stop());

  it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'passes all of revision %s',
    async (revision) => {
      const port = await findFreePort();
      const redirectUri = `http://127.0.0.1:${port}/callback`;
      const client = await OAuthClient.register(gatehouse, { redirect_uris: [redirectUri] });
      const options = {
        url: gatehouse.origin,
        'client-id': client.id,
        resource: `${gatehouse.origin}/svc/mcp`,
        port: String(port),
        'spec-version': revision,
      };
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
      const approver = await Approver.create(gatehouse);
      const { exitCode, output } = await run(['authorization', ...args], approver);
      expect(output).toMatch(/^Total: [1-9]\d* passed, 0 failed$/m);
      expect(output).not.toMatch(/skipped|warning/i);
      expect(exitCode).toBe(0);
    },
  );
});
