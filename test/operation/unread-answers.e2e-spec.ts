import { connect, type Socket } from 'node:net';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';
import { TabClient } from '../support/tab-client.js';
import { parseMetrics, valueOf } from './metrics-text.js';

const MEBIBYTE = 1024 * 1024;
const ACCOUNTS = 8;
/** Their tools fill more than a page of a list. */
const TABS = 12;
/** Requests that a connection may send before their answers. */
const EACH = 16;
/** Of a list, with what is around it. */
const PAGE_BYTES = 520 * 1024;
/** The memory of lists that are being put together, and of connections, apart from the answers. */
const MARGIN_BYTES = 320 * MEBIBYTE;

const toolsOf = (tab: number) =>
  Array.from({ length: 8 }, (_, n) => ({
    name: `tab${tab}.tool${n}`,
    description: 'A tool.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'string', description: 'x'.repeat(5_500) } },
    },
  }));

/** The kernel takes some MiB of each connection over loopback, whatever its client reads. */
describe('lists of 512 KiB that are asked for and not read (contract: Load)', () => {
  let server: BuiltServer;
  let management: number;
  let apps: ConnectedApp[];
  let tabs: TabClient[];
  let clients: Socket[];

  beforeEach(async () => {
    [apps, tabs, clients] = [[], [], []];
    server = await startBuiltServer({ MANAGEMENT_PORT: '0', RATE_LIMIT_MAX: '1000000' });
    management = Number(/are on \S+ port (\d+)/.exec(server.process.stdout)?.[1]);
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    for (const { socket } of tabs) socket.terminate();
    await server.stop();
  });

  async function connectApp() {
    const app = await ConnectedApp.connect(server);
    for (let n = 0; n < TABS; n += 1) {
      const tab = await TabClient.open(server, app.browser);
      tabs.push(tab);
      tab.say('tools', { tools: toolsOf(n) });
      await tab.settle();
    }
    await eventually(async () => {
      const { result } = (await app.send('tools/list')).json<{ result: { nextCursor?: string } }>();
      expect(result.nextCursor).toBeDefined();
    });
    apps.push(app);
  }

  function askWithoutReading({ token }: ConnectedApp) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const request = [
      'POST /svc/mcp HTTP/1.1',
      `Host: localhost:${server.port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
    const client = connect(server.port, '127.0.0.1').pause();
    clients.push(client.on('error', () => undefined));
    return () => client.write(request.repeat(EACH));
  }

  async function metric(name: string, labels?: Record<string, string>) {
    const { text } = await call(management, { method: 'GET', path: '/metrics' });
    return valueOf(parseMetrics(text), name, labels);
  }

  it(`of ${ACCOUNTS} accounts take one answer of each connection, and others are answered all the same`, async () => {
    for (let n = 0; n < ACCOUNTS; n += 1) await connectApp();
    const other = new Browser(server);
    await other.signUp();
    const before = await metric('process_resident_memory_bytes');
    const handled = () =>
      metric('gatehouse_http_request_duration_seconds_count', { route: '/svc/mcp' });
    const asks = apps.map(askWithoutReading);
    let [asked, most] = [await handled(), before];
    await eventually(async () => {
      if ((await handled()) === asked) {
        for (const ask of asks) ask();
        asked += asks.length * EACH;
      }
      most = Math.max(most, await metric('process_resident_memory_bytes'));
      expect((await other.get('/svc/auth/me')).status).toBe(200);
      expect(await metric('gatehouse_answer_bytes')).toBeGreaterThan(0);
    });
    expect(await metric('gatehouse_answer_bytes')).toBeLessThanOrEqual(ACCOUNTS * PAGE_BYTES);
    expect(most - before).toBeLessThan(MARGIN_BYTES);
    // Those that are left stand still.
    await eventually(async () => {
      expect(await metric('gatehouse_cut_answers_total', { bound: 'time' })).toBeGreaterThan(0);
      expect(await metric('gatehouse_answer_bytes')).toBe(0);
    });
    for (const app of apps) expect((await app.send('tools/list')).status).toBe(200);
  });
});
