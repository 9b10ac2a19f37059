import { DeliveryAcks } from './account-publisher.js';

describe('DeliveryAcks', () => {
  let acks: DeliveryAcks;

  beforeEach(() => {
    acks = new DeliveryAcks();
  });
  afterEach(() => {
    expect(acks.size).toBe(0);
  });

  it('adds up what the replicas acknowledge', async () => {
    const delivery = acks.open('m');
    acks.expect('m', 2);
    expect(acks.add('m', 3)).toBe(true);
    expect(acks.add('m', 4)).toBe(true);
    expect(await delivery).toEqual({ delivered: 7, isComplete: true });
  });

  it('counts what came before the number of replicas is known', async () => {
    const delivery = acks.open('m');
    acks.add('m', 1);
    acks.add('m', 0);
    acks.expect('m', 2);
    expect(await delivery).toEqual({ delivered: 1, isComplete: true });
  });

  it('is complete at once when no replica gets it', async () => {
    const delivery = acks.open('m');
    acks.expect('m', 0);
    expect(await delivery).toEqual({ delivered: 0, isComplete: true });
  });

  it('waits for a silent replica only so long', async () => {
    const delivery = acks.open('m', 5);
    acks.expect('m', 2);
    acks.add('m', 1);
    expect(await delivery).toEqual({ delivered: 1, isComplete: false });
  });

  it('takes no ack for what nobody waits for', async () => {
    expect(acks.add('__proto__', 1)).toBe(false);
    const delivery = acks.open('m');
    acks.closeAll();
    expect(acks.add('m', 1)).toBe(false);
    acks.expect('m', 1);
    expect(await delivery).toEqual({ delivered: 0, isComplete: false });
  });
});
