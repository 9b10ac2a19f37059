import { connect, type Socket } from 'node:net';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { OAuthClient } from '../support/oauth-client.js';
import { exchange, requestHead } from '../support/http.js';
import { describeTopology, Topology } from '../support/topology.js';

const OF_EACH_KIND = 100;
const HEALTHY = 20;
const HOST = 'Host: localhost:8443';
const SLOW = '/svc/auth/login/options';
const POST = [`POST ${SLOW} HTTP/1.1`, HOST, 'X-Forwarded-Proto: https'];
const UNFINISHED = [...POST, 'X-Slow: '].join('\r\n');
const WITHOUT_BODY = [...POST, 'Content-Length: 1000', '', ''].join('\r\n');

interface Door {
  readonly port: number;
  readonly host: string;
}

describeTopology('hundreds of slow clients', () => {
  let topology: Topology;
  let sockets: Socket[];
  let drips: Socket[];
  let dripping: NodeJS.Timeout;

  beforeAll(async () => {
    topology = await Topology.start();
  });
  beforeEach(() => {
    sockets = [];
    drips = [];
    dripping = setInterval(() => {
      for (const socket of drips) if (socket.writable) socket.write('x');
    }, 1_000);
  });
  afterEach(() => {
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  });
  afterAll(() => topology.stop());

  /** Opens many connections that begin like this and then send nothing, or one byte a second. */
  async function open({ port, host }: Door, bytes: string, then: 'silence' | 'drip') {
    const clients = Array.from({ length: OF_EACH_KIND }, () => connect(port, host));
    sockets.push(...clients);
    await Promise.all(
      clients.map(async (client) => {
        client.on('error', () => undefined).resume();
        await new Promise((resolve) => {
          client.write(bytes, resolve);
        });
      }),
    );
    if (then === 'drip') drips.push(...clients);
    return clients;
  }

  /** A new user signs up, connects an app and uses it. */
  async function expectHealthy() {
    const browser = new Browser(topology);
    expect((await browser.signUp()).status).toBe(200);
    const client = await OAuthClient.register(topology);
    const { access_token: token } = await client.connect(browser);
    const answers = await Promise.all(Array.from({ length: HEALTHY }, () => client.mcp(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(HEALTHY).fill(200));
    for (const { host } of topology.replicas) {
      const me = requestHead('GET /svc/auth/me HTTP/1.1', HOST, 'X-Forwarded-Proto: https');
      expect((await exchange(3000, me, host)).status).toBe(200);
    }
  }

  const freed = (clients: Socket[]) =>
    eventually(() => expect(clients.filter(({ closed }) => !closed)).toHaveLength(0));

  it('delay no other client, and are disconnected', async () => {
    const balancer = { port: topology.port, host: '127.0.0.1' };
    const replica = { port: 3000, host: topology.replicas[0].host };
    const slow = await Promise.all(
      [balancer, replica].flatMap((door) => [
        open(door, '', 'silence'),
        open(door, UNFINISHED, 'drip'),
      ]),
    );
    const waiting = await open(balancer, WITHOUT_BODY, 'silence');
    await open(replica, WITHOUT_BODY, 'drip');
    await expectHealthy();
    await freed([...slow.flat(), ...waiting]);
    await expectHealthy();

    const hops = (await topology.hops()).filter(
      ({ path, status }) => path === SLOW && status === 408,
    );
    expect(hops.length).toBeGreaterThanOrEqual(OF_EACH_KIND);
    expect(new Set(hops.map(({ replica: at }) => at))).toEqual(new Set(['']));
  });
});
