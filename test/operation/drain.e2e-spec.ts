import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { DrainingAdapter } from '../../apps/server/src/http/shutdown.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { askManagement } from '../support/management.js';

interface Reply {
  readonly status: number;
  readonly connection: string | undefined;
}

const PATH = '/svc/auth/me';

/** Sends a request over keep-alive connections; rejects when the connection fails or breaks. */
function ask(port: number, agent: Agent): Promise<Reply> {
  const options = { host: '127.0.0.1', port, agent, path: PATH, headers: { host: 'localhost' } };
  return new Promise((resolve, reject) => {
    const asking = request(options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      answer.resume().on('end', () => resolve({ status, connection: headers.connection }));
    });
    asking.on('error', reject).end();
  });
}

describe('a service that ends', () => {
  let gatehouse: Gatehouse;
  let agent: Agent;

  const adapter = () => gatehouse.app.getHttpAdapter() as unknown as DrainingAdapter;

  beforeEach(async () => {
    agent = new Agent({ keepAlive: true });
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0', SHUTDOWN_GRACE: '20' });
  });
  afterEach(async () => {
    agent.destroy();
    await gatehouse.stop();
  });

  it('answers requests on open connections, as their last, and takes no new ones', async () => {
    expect(await ask(gatehouse.port, agent)).toEqual({ status: 200, connection: 'keep-alive' });
    const ending = adapter().drainConnections();
    await eventually(() => expect(gatehouse.app.getHttpServer().listening).toBe(false));
    expect(await ask(gatehouse.port, agent)).toEqual({ status: 200, connection: 'close' });
    await expect(ask(gatehouse.port, agent)).rejects.toThrow('ECONNREFUSED');
    await ending;
  });

  it('is not ready from the start of its end, but alive', async () => {
    const status = async (path: string) => (await askManagement(gatehouse, path)).status;
    expect(await status('/readyz')).toBe(200);
    const ending = adapter().drainConnections();
    await eventually(async () => expect(await status('/readyz')).toBe(503));
    expect(await status('/livez')).toBe(200);
    await ending;
  });

  it('closes only after a request that was under way is answered', async () => {
    const slow = connect({ port: gatehouse.port, host: '127.0.0.1', allowHalfOpen: true });
    slow.write(
      'POST /svc/auth/login/options HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n',
    );
    await ask(gatehouse.port, agent);
    let closed = false;
    const closing = gatehouse.app.close().then(() => (closed = true));
    await eventually(() =>
      expect(ask(gatehouse.port, agent)).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/),
    );
    expect(closed).toBe(false);
    slow.write('{}');
    const answer = await text(slow);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    await closing;
    slow.destroy();
  });

  it('waits for no answer of a connection that is gone, whatever came last on it', async () => {
    // As long as a test may take: waiting for it would fail this test.
    const patient = await startGatehouse({ SHUTDOWN_GRACE: '300' }, gatehouse);
    const client = connect(patient.port, '127.0.0.1').on('error', () => undefined);
    const get = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    client.write(`${get.repeat(10)}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
    await once(client, 'close');
    await patient.app.close();
    await patient.stop();
  });

  it('loses no request of clients that go on elsewhere when it stops taking connections', async () => {
    const other = await startGatehouse({}, gatehouse);
    const [first, second] = [gatehouse.port, other.port];
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
    const failures: unknown[] = [];
    let served = 0;
    const load = { goesOn: true };
    const work = async () => {
      let port = first;
      while (load.goesOn) {
        try {
          const { status } = await ask(port, port === first ? agents[0] : agents[1]);
          if (status === 200) served += 1;
          else failures.push(status);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && port === first) {
            port = second;
          } else failures.push(error);
        }
      }
    };
    const workers = Array.from({ length: 16 }, work);
    await eventually(() => expect(served).toBeGreaterThan(200));
    await adapter().drainConnections();
    await gatehouse.app.close();
    const then = served;
    await eventually(() => expect(served).toBeGreaterThan(then + 200));
    load.goesOn = false;
    await Promise.all(workers);
    for (const one of agents) one.destroy();
    await other.stop();
    expect(failures).toEqual([]);
  });

  it('tells tabs that it goes away', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const tab = new WebSocket(`ws://127.0.0.1:${gatehouse.port}/svc/me/tabs`, {
      headers: { host: new URL(gatehouse.origin).host, cookie: browser.cookie ?? '' },
    });
    await once(tab, 'message');
    const closed = once(tab, 'close');
    await adapter().drainConnections();
    await gatehouse.app.close();
    expect(((await closed) as unknown[])[0]).toBe(1001);
  });

  it('cuts what has not ended when the grace time is over', async () => {
    const hasty = await startGatehouse({ SHUTDOWN_GRACE: '0' }, gatehouse);
    const stuck = connect(hasty.port, '127.0.0.1');
    stuck.write('POST /svc/auth/logout HTTP/1.1\r\nHost: localhost\r\n');
    await once(stuck, 'ready');
    const gone = new Promise((resolve) => {
      stuck.on('error', resolve).on('close', resolve);
    });
    await hasty.stop();
    await gone;
  });
});
