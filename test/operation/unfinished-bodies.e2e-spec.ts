import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Browser } from '../support/browser.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { parseMetrics, valueOf } from './metrics-text.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const ACCOUNTS = 20;
const EACH = 30;
/** The memory of connections and their buffers, apart from the bodies: 128 KiB each where a body waits to be read. */
const MARGIN_BYTES = 256 * MEBIBYTE;

/** A request whose body never ends. */
class Unfinished {
  answer = '';

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.answer += String(chunk)));
    socket.on('error', () => undefined);
  }

  static async send(port: number, head: readonly string[], body: Buffer) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const lines = [...head, `Host: localhost:${port}`, 'Transfer-Encoding: chunked', '', ''];
    socket.write(lines.join('\r\n'));
    socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body);
    return new Unfinished(socket);
  }

  get refusal() {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(this.answer) ?? [];
    return status === undefined ? undefined : Number(status);
  }
}

describe('600 bodies that never end (contract: Load)', () => {
  let server: BuiltServer;
  let management: number;
  let open: Unfinished[];

  beforeEach(async () => {
    open = [];
    server = await startBuiltServer({ MANAGEMENT_PORT: '0', RATE_LIMIT_MAX: '1000000' });
    management = Number(/are on \S+ port (\d+)/.exec(server.process.stdout)?.[1]);
  });
  afterEach(async () => {
    for (const { socket } of open) socket.destroy();
    await server.stop();
  });

  async function metric(name: string) {
    const { text } = await call(management, { method: 'GET', path: '/metrics' });
    return valueOf(parseMetrics(text), name);
  }
  const heldBytes = () => metric('gatehouse_body_bytes');
  const memory = () => metric('process_resident_memory_bytes');
  const statuses = () => new Set(open.flatMap(({ refusal }) => refusal ?? []));
  const refused = () => open.filter(({ refusal }) => refusal !== undefined);

  /** Resolves when everything that was sent has been read or refused. */
  async function settled(bytes: number, body: Buffer) {
    await eventually(async () => {
      const held = await heldBytes();
      expect(held).toBeLessThanOrEqual(bytes);
      const taken = (open.length - refused().length) * body.length;
      expect(held).toBeGreaterThanOrEqual(taken);
      expect(taken).toBeGreaterThan(bytes / 2);
    });
  }

  it('of a stranger take 16 MiB, and the others are refused', async () => {
    const body = Buffer.alloc(54 * KIBIBYTE, 'x');
    const head = ['POST /svc/oauth/register HTTP/1.1'];
    for (let n = 0; n < ACCOUNTS * EACH; n += 1) {
      open.push(await Unfinished.send(server.port, head, body));
    }
    await settled(16 * MEBIBYTE, body);
    expect([...statuses()]).toEqual([503]);
    const [one] = refused();
    expect(one?.answer).toMatch(/Retry-After: 1\r\n/i);
    expect(one?.answer).toContain('"temporarily_unavailable"');
    expect((await new Browser(server).get('/svc/auth/me')).status).toBe(200);
    for (const { socket } of open) socket.destroy();
    await eventually(async () => expect(await heldBytes()).toBe(0));
    const browser = new Browser(server);
    expect((await browser.signUp()).status).toBe(200);
  });

  it('of 20 accounts take 64 MiB, and who sends little is read all the same', async () => {
    const tokens: string[] = [];
    for (let n = 0; n <= ACCOUNTS; n += 1) {
      const browser = new Browser(server);
      await browser.signUp();
      const app = await OAuthClient.register(server);
      tokens.push((await app.connect(browser)).access_token);
    }
    const other = await OAuthClient.register(server);
    const before = await memory();
    let most = before;
    const body = Buffer.alloc(500 * KIBIBYTE, 'x');
    for (let n = 0; n < ACCOUNTS * EACH; n += 1) {
      const token = tokens[n % ACCOUNTS];
      const head = [
        'POST /svc/mcp HTTP/1.1',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
      ];
      open.push(await Unfinished.send(server.port, head, body));
      if (n % 50 === 0) most = Math.max(most, await memory());
    }
    await settled(64 * MEBIBYTE, body);
    expect([...statuses()]).toEqual([503]);
    const [one] = refused();
    expect(one?.answer).toMatch(/Retry-After: 1\r\n/i);
    most = Math.max(most, await memory());
    expect(most - before).toBeLessThan(64 * MEBIBYTE + MARGIN_BYTES);

    for (let n = 0; n < 20; n += 1) expect((await other.mcp(tokens.at(-1) ?? '')).status).toBe(200);
    expect((await new Browser(server).signUp()).status).toBe(200);
    for (const { socket } of open) socket.destroy();
    await eventually(async () => expect(await heldBytes()).toBe(0));
  });
});
