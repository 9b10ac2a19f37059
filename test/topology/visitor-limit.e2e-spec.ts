import { exchange, type RawAnswer, requestHead } from '../support/http.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { describeTopology, Topology } from '../support/topology.js';

const MAX = 400;
const REQUESTS = 1000;
const PERIOD = '3600';

describeTopology('a visitor with a thousand requests at once over two replicas', () => {
  let storage: TestStorage;
  let topology: Topology;

  beforeAll(async () => {
    storage = await storageForTests();
    topology = await Topology.start({
      ...storage.environment,
      RATE_LIMIT_MAX: String(MAX),
      RATE_LIMIT_PERIOD: PERIOD,
    });
  });
  afterAll(async () => {
    await topology.stop();
    await storage.dispose();
  });

  const limited = [
    'POST /svc/auth/login/options',
    'POST /svc/auth/logout',
    'POST /svc/oauth/token',
    'POST /svc/oauth/register',
    'GET /svc/oauth/authorize',
  ];

  it('is allowed exactly what the limit says, told the period, and never refused me', async () => {
    const visitor = await topology.visitor('127.0.0.21');
    const send = (request = '') =>
      exchange(visitor.port, requestHead(`${request} HTTP/1.1`, 'Host: localhost:8443'));
    const me = () => send('GET /svc/auth/me');
    /** Every request has its own connection. */
    const [answers, accounts] = await Promise.all([
      Promise.all(Array.from({ length: REQUESTS }, (_, n) => send(limited[n % limited.length]))),
      Promise.all(Array.from({ length: 50 }, me)),
    ]);

    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 0 || status >= 500)).toEqual([]);
    expect(REQUESTS - refused.length).toBe(MAX);
    const replicas = (some: RawAnswer[]) =>
      new Set(some.map(({ headers }) => headers['x-replica']));
    expect(replicas(answers).size).toBe(2);
    expect(replicas(refused).size).toBe(2);
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(
      new Set([PERIOD]),
    );
    for (const { status } of [...accounts, await me()]) expect(status).toBe(200);
  });
});
