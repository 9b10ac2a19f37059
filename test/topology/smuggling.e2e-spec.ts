import { randomUUID } from 'node:crypto';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { exchange, requestHead } from '../support/http.js';
import { smugglingAttempts } from '../support/smuggling.js';
import { describeTopology, Topology } from '../support/topology.js';

const HOST = 'localhost:8443';
const OUTER = '/svc/auth/login/options';
const VICTIMS = ['Ann', 'Bea', 'Cyd', 'Dee'];

/**
 * How often the hidden request may be handled as a request of its own, where proxy and replica agree that it is one.
 */
const HIDDEN_HANDLED = { refused: [0, 1], either: [0, 1], two: [1], one: [0] };

/** A request as a replica logged it. */
interface Handled {
  readonly requestId: string;
  readonly path: string;
}

type Kind = keyof ReturnType<typeof smugglingAttempts>;

const names = (kind: Kind) =>
  Object.keys(smugglingAttempts({ host: HOST, outer: OUTER, inner: '/' })[kind]);

describeTopology('a request that hides another one', () => {
  let topology: Topology;
  let victims: Browser[];
  let inner: string;

  beforeAll(async () => {
    topology = await Topology.start();
    victims = VICTIMS.map(() => new Browser(topology));
    await Promise.all(victims.map((victim, n) => victim.signUp(VICTIMS[n])));
  });
  beforeEach(() => {
    inner = `/svc/auth/${randomUUID()}`;
  });
  afterAll(() => topology.stop());

  /** The attempt, followed by a valid request that ends the connection. */
  function bytesOf(kind: Kind, name: string) {
    const attempts: Record<string, string> = smugglingAttempts({ host: HOST, outer: OUTER, inner })[
      kind
    ];
    return attempts[name] + requestHead('GET /svc/auth/me HTTP/1.1', `Host: ${HOST}`);
  }

  /** The requests that the replicas handled, in the format of the load balancer's log. */
  function handled(): string[] {
    const lines = topology.replicas.flatMap(({ process }) => process.stdout.split('\n'));
    return lines
      .filter((line) => line.includes('"requestId"') && line.includes('"path"'))
      .map((line) => JSON.parse(line) as Handled)
      .map(({ requestId, path }) => `${requestId} ${path}`);
  }

  const passedOn = async () =>
    (await topology.hops())
      .filter(({ replica }) => replica !== '')
      .map(({ request, path }) => `${request} ${path}`);

  const hidden = (requests: string[]) => requests.filter((one) => one.endsWith(inner)).length;

  const expectOwnAnswers = async () => {
    const accounts = await Promise.all(victims.map((victim) => victim.me()));
    expect(accounts.map(({ user }) => user?.displayName)).toEqual(VICTIMS);
  };

  const cases = (['refused', 'either', 'two', 'one'] as const).flatMap((kind) =>
    names(kind).map((name) => [name, kind] as const),
  );

  describe('means the same to the load balancer and to the replicas, and reaches no other client', () => {
    it.each(cases)('%s', async (name, kind) => {
      const answer = await exchange(topology.port, bytesOf(kind, name));
      expect(answer.status).toBeGreaterThanOrEqual(200);
      await expectOwnAnswers();
      await eventually(async () => {
        expect(handled().toSorted()).toEqual((await passedOn()).toSorted());
      });
      expect(HIDDEN_HANDLED[kind]).toContain(hidden(handled()));
    });
  });

  describe('is refused by a replica itself', () => {
    it.each(names('refused'))('%s', async (name) => {
      const [{ host }] = topology.replicas;
      const answer = await exchange(3000, bytesOf('refused', name), host);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('HTTP/1.1');
      expect(hidden(handled())).toBe(0);
    });
  });
});
