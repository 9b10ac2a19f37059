import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import { bring, startTeamApp } from '../extending/team-app.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';
import { TabClient } from '../support/tab-client.js';
import { parseMetrics, valueOf } from './metrics-text.js';
import { askManagement } from '../support/management.js';

const MOST = 256;
const ME = '/svc/auth/me';
/** Work that delays a timer by more than the permitted 200 ms. */
const LATE_MS = 300;

const held: (() => void)[] = [];

@Controller('acme')
class SlowController {
  @Get('slow')
  slow() {
    return new Promise<string>((resolve) => held.push(() => resolve('done')));
  }
}

describe('more work than can be done', () => {
  let team: Awaited<ReturnType<typeof startTeamApp>>;
  let service: { port: number; origin: string };
  let sockets: Socket[];

  beforeAll(async () => {
    team = await startTeamApp(bring([SlowController]), {
      MANAGEMENT_PORT: '0',
      TRUSTED_PROXIES: 'loopback',
      RATE_LIMIT_MAX: '100000',
    });
    service = { port: team.port, origin: `http://localhost:${team.port}` };
  });
  beforeEach(() => {
    sockets = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const socket of sockets) socket.destroy();
    for (const answer of held.splice(0)) answer();
    await atWork(0);
  });
  afterAll(() => team.stop());

  const manage = (path: string) => askManagement(team, path);
  const metric = async (name: string, labels = {}) =>
    valueOf(parseMetrics((await manage('/metrics')).text), name, labels);
  const shed = (bound: string) => metric('gatehouse_shed_requests_total', { bound });
  const atWork = (count: number) =>
    eventually(async () => expect(await metric('gatehouse_requests_at_work')).toBe(count));

  const ask = (method: string, path: string, headers = {}) =>
    call(service.port, {
      method,
      path,
      headers: { host: `localhost:${service.port}`, ...headers },
    });
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  async function send(bytes: string): Promise<Socket> {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }

  async function fill() {
    const slow = Array.from({ length: MOST }, () => send(request('/acme/slow')));
    await Promise.all(slow);
    await eventually(() => expect(held).toHaveLength(MOST));
  }

  it('503 | anywhere | 256 requests are at work, each area in its own words (contract: Load)', async () => {
    await fill();
    const answers = {
      auth: await ask('GET', ME),
      token: await ask('POST', '/svc/oauth/token'),
      registration: await ask('POST', '/svc/oauth/register'),
      mcp: await ask('POST', '/svc/mcp'),
      page: await ask('GET', '/svc/oauth/authorize?client_id=x'),
      apps: await ask('GET', '/svc/me/apps'),
      team: await ask('GET', '/acme/slow'),
      nowhere: await ask('GET', '/nowhere'),
    };
    for (const { status, headers } of Object.values(answers)) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-request-id']).toEqual(expect.any(String));
    }
    const words = expect.stringMatching(/overloaded; try again/);
    expect(answers.auth.json()).toEqual({ error: words });
    const unavailable = { error: 'temporarily_unavailable', error_description: words };
    expect(answers.token.json()).toEqual(unavailable);
    expect(answers.registration.json()).toEqual(unavailable);
    const error = { code: -32_000, message: words };
    expect(answers.mcp.json()).toEqual({ jsonrpc: '2.0', id: null, error });
    for (const { headers } of [answers.token, answers.registration, answers.mcp]) {
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    for (const { headers } of [answers.page, answers.apps, answers.team, answers.nowhere]) {
      expect(headers['content-type']).toMatch(/^text\/plain/);
    }
    expect(held).toHaveLength(MOST);
    expect(await shed('requests')).toBe(8);
  });

  it('503 | tab hub | 256 requests are at work; listeners for operators go on, and all of it when there is room', async () => {
    await fill();
    const { socket } = TabClient.dial(service, new Browser(service));
    const [, refusal] = await once(socket, 'unexpected-response');
    expect((refusal as IncomingMessage).statusCode).toBe(503);
    socket.terminate();
    for (const path of ['/livez', '/readyz', '/metrics']) {
      expect([path, (await manage(path)).status]).toEqual([path, 200]);
    }
    held.shift()?.();
    await eventually(async () => expect((await ask('GET', ME)).status).toBe(200));
    expect(await metric('gatehouse_requests_at_work')).toBe(MOST - 1);
  });

  it('refuses no network with few requests while another one takes all the capacity (contract: Load)', async () => {
    await fill();
    const from = async (address: string) =>
      (await ask('GET', ME, { 'x-forwarded-for': address })).status;
    expect(await from('192.0.2.1')).toBe(200);
    expect(await from('2001:db8::1')).toBe(200);
    expect((await ask('GET', ME)).status).toBe(503);
  });

  it('refuses after a moment, for which the next request of the connection waits (contract: Load)', async () => {
    await fill();
    const hasty = await send(request(ME).repeat(2));
    for (const _time of [1, 2]) {
      const [bytes] = await once(hasty, 'data');
      expect(String(bytes).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 503']);
    }
  });

  it('begins pipelined requests one by one, and cuts a connection with more than 16 (contract: Load)', async () => {
    const other = await send(request('/acme/slow').repeat(17));
    await once(other, 'close');
    await atWork(0);
    held.length = 0;
    const client = await send(request('/acme/slow').repeat(16));
    let answers = 0;
    client.on(
      'data',
      (bytes: Buffer) => (answers += String(bytes).split('HTTP/1.1 200 ').length - 1),
    );
    for (let n = 0; n < 16; n += 1) {
      await eventually(() => expect([answers, held.length]).toEqual([n, 1]));
      held.pop()?.();
    }
    await eventually(() => expect(answers).toBe(16));
  });

  it('does not count who waits for a body, a tab that is open, and requests behind others', async () => {
    const browser = new Browser(service);
    await browser.signUp();
    const tab = await TabClient.open(service, browser);
    const post = `POST /svc/auth/login/options HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n`;
    await Promise.all(Array.from({ length: MOST + 10 }, () => send(post)));
    for (let waiting = 0, stuck = 1; waiting < MOST + 10; waiting += 15, stuck += 1) {
      const socket = await send(request('/acme/slow'));
      await eventually(() => expect(held).toHaveLength(stuck));
      socket.write(request(ME).repeat(15));
      await atWork(stuck);
    }
    expect((await ask('GET', ME)).status).toBe(200);
    await tab.close();
  });

  it('does not count a call that waits for its tab (contract: Load)', async () => {
    const app = await ConnectedApp.connect(service);
    const tab = await TabClient.open(service, app.browser);
    const answer = app.call('call_tab', { tab: tab.id, method: 'wait' });
    const { id } = (await tab.next('request')) as { id: string };
    await atWork(0);
    tab.say('result', { id, ok: true, value: 'done' });
    expect(await answer).toMatchObject({ structuredContent: { value: 'done' } });
    await tab.close();
  });

  it('does not count a call whose client has left and that has ended', async () => {
    // What a client that left has begun counts for a second at most: here that second does not pass.
    const inTime = globalThis.setTimeout;
    const never = (work: () => void, ms?: number) => inTime(work, ms === 1_000 ? 2 ** 31 - 1 : ms);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(never as typeof setTimeout);
    const app = await ConnectedApp.connect(service);
    const tab = await TabClient.open(service, app.browser);
    const params = { name: 'call_tab', arguments: { tab: tab.id, method: 'wait' } };
    const left = new AbortController();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = app.sendText(JSON.stringify(message), left.signal);
    await tab.next('request');
    left.abort();
    await expect(answer).rejects.toThrow();
    await tab.next('cancel');
    await app.have('account_status');
    await atWork(0);
    await tab.close();
  });

  it('does not count whose client is gone, whatever waits behind it', async () => {
    const socket = await send(request('/acme/slow').repeat(16));
    await eventually(() => expect(held).toHaveLength(1));
    await atWork(1);
    socket.destroy();
    await atWork(0);
    for (const answer of held) answer();
  });

  it('503 | anywhere | the event loop is late for a second, until it is not (contract: Load)', async () => {
    let going = true;
    const work = () => {
      const until = process.threadCpuUsage().user + LATE_MS * 1_000;
      while (process.threadCpuUsage().user < until);
      if (going) setImmediate(work);
    };
    setImmediate(work);
    try {
      // Repeated, because the server may just be closing a keep-alive connection.
      await eventually(async () => {
        const [{ status, headers }, alive] = await Promise.all([ask('GET', ME), manage('/livez')]);
        expect([status, headers['retry-after'], alive.status]).toEqual([503, '1', 200]);
      });
    } finally {
      going = false;
    }
    await eventually(async () => expect((await ask('GET', ME)).status).toBe(200));
    expect(await shed('lag')).toBeGreaterThan(0);
  });
});
