import { eventually } from '#libs/platform/testing';
import { doubleSpent, failures, type Operation, usedAfterRevoked } from '../support/history.js';
import { LoadDriver } from '../support/load-driver.js';
import { describeTopology, type Replica, Topology } from '../support/topology.js';

const PEOPLE = 4;
/** A person sends a consent twice at once, and everything else in sequence. */
const UNDER_WAY = 2 * PEOPLE;
const KILLS = 3;
/** The load balancer's answer: its status, or its text. */
const TRY_AGAIN = /^503$|the service is starting again/;
/**
 * The balancer repeats the request on another replica, which finds the app already disconnected by the one that died
 * (RFC 9110 §9.2.2).
 */
const isRepeated = ({ name, outcome }: Operation) => name === 'disconnect' && outcome === 404;

describeTopology('replicas that are killed under constant load', () => {
  let topology: Topology;
  let load: LoadDriver;

  beforeAll(async () => {
    topology = await Topology.start();
    load = new LoadDriver(topology);
  });
  afterAll(async () => {
    await load.stop();
    await topology.stop();
  });

  /** Resolves when that replica answers a new request at once. */
  async function inRotation({ address }: Replica) {
    const before = (await topology.hops()).length;
    await eventually(async () => {
      const since = (await topology.hops()).slice(before);
      expect(since.some(({ replica, status }) => replica === address && status < 500)).toBe(true);
    });
  }

  it('fail only what was under way on them, answer nothing wrong and are taken back', async () => {
    const killed: Replica[] = [];
    load.start(PEOPLE);
    await load.more(50);
    for (let n = 0; n < KILLS; n += 1) {
      const replica = topology.replicas[n % 2] as Replica;
      killed.push(replica);
      await replica.kill();
      await load.more(50);
      await replica.start();
      await inRotation(replica);
    }
    await load.more(50);
    await load.stop();

    const failed = failures(load.history);
    const wrong = failed.filter((one) => !isRepeated(one) && !TRY_AGAIN.test(String(one.outcome)));
    expect(wrong).toEqual([]);
    expect(failed.length).toBeLessThanOrEqual(KILLS * UNDER_WAY);
    const refused = (await topology.hops()).filter(({ status }) => status >= 500);
    const addresses = new Set(killed.map(({ address }) => address));
    expect(refused.filter(({ replica }) => !addresses.has(replica))).toEqual([]);
    expect(doubleSpent(load.history)).toEqual([]);
    expect(usedAfterRevoked(load.history)).toEqual([]);
  });
});
