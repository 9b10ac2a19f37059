import { doubleSpent, failures, usedAfterRevoked } from '../support/history.js';
import { LoadDriver } from '../support/load-driver.js';
import { describeTopology, Topology } from '../support/topology.js';

const PEOPLE = 3;

describeTopology('a rolling restart under constant load', () => {
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

  it('fails no request, spends nothing twice and brings nothing back that was revoked', async () => {
    load.start(PEOPLE);
    await load.more(100);
    for (const replica of topology.replicas) {
      expect(await replica.end()).toBe(0);
      await load.more(100);
      await replica.start();
      await topology.settle();
      await load.more(100);
    }
    await load.stop();
    expect(failures(load.history)).toEqual([]);
    expect(doubleSpent(load.history)).toEqual([]);
    expect(usedAfterRevoked(load.history)).toEqual([]);
  });
});
