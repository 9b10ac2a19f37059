import { setImmediate as turn } from 'node:timers/promises';
import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';
import { AccountPublisher } from './account-publisher.js';

const MESSAGE: TabBusMessage = { kind: 'tabs' };

describe('AccountPublisher', () => {
  let replicas: number;
  let early: number[];
  let published: TabBusMessage[];
  let publisher: AccountPublisher;

  const open = (patienceMs?: number) => {
    const bus = {
      publish: async (_: string, message: TabBusMessage) => {
        published.push(message);
        for (const delivered of early) publisher.onAck('m', delivered);
        return replicas;
      },
    };
    publisher = new AccountPublisher('ann', bus as unknown as TabBus, patienceMs);
  };
  const publish = () => publisher.publishAcknowledged('m', MESSAGE);

  beforeEach(() => {
    [replicas, early, published] = [2, [], []];
    open();
  });
  afterEach(() => expect(publisher.onAck('m', 1)).toBe(false));

  it('adds up what the replicas acknowledge', async () => {
    const delivery = publish();
    await turn();
    expect(publisher.onAck('m', 3)).toBe(true);
    publisher.acknowledge('m', 4);
    expect(await delivery).toEqual({ delivered: 7, isComplete: true });
    expect(published).toEqual([MESSAGE]);
  });

  it('counts what came before the number of replicas is known', async () => {
    early = [1, 0];
    const delivery = publish();
    expect(await delivery).toEqual({ delivered: 1, isComplete: true });
  });

  it('is complete at once when no replica gets it', async () => {
    replicas = 0;
    const delivery = publish();
    expect(await delivery).toEqual({ delivered: 0, isComplete: true });
  });

  it('waits for a silent replica for a limited time', async () => {
    open(5);
    const delivery = publish();
    await turn();
    publisher.onAck('m', 1);
    expect(await delivery).toEqual({ delivered: 1, isComplete: false });
  });

  it('passes acks of other senders on, and none without an id', () => {
    publisher.acknowledge('__proto__', 1);
    publisher.acknowledge(undefined, 1);
    expect(published).toEqual([{ kind: 'ack', id: '__proto__', delivered: 1 }]);
  });

  it('waits no longer once it is closed', async () => {
    const delivery = publish();
    await turn();
    publisher.close();
    expect(await delivery).toEqual({ delivered: 0, isComplete: false });
  });
});
