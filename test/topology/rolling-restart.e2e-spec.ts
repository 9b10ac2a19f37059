import { doubleSpent, failures, usedAfterRevoked } from '../support/history.js';
import { LoadDriver } from '../support/load-driver.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { describeTopology, Topology } from '../support/topology.js';

const PEOPLE = 3;

describeTopology('a rolling restart under constant load', () => {
  let storage: TestStorage;
  let topology: Topology;
  let load: LoadDriver;

  beforeAll(async () => {
    storage = await storageForTests();
    topology = await Topology.start(storage.environment);
    load = new LoadDriver(topology);
  });
  afterAll(async () => {
    await load.stop();
    await topology.stop();
    await storage.dispose();
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
