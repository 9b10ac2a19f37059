import { Receipts } from './delivery-acks.js';

describe('Receipts', () => {
  let receipts: Receipts;

  beforeEach(() => {
    receipts = new Receipts();
  });
  afterEach(() => {
    expect(receipts.size).toBe(0);
  });

  it('adds up what the replicas say', async () => {
    const delivery = receipts.open('m');
    receipts.expect('m', 2);
    expect(receipts.add('m', 3)).toBe(true);
    expect(receipts.add('m', 4)).toBe(true);
    expect(await delivery).toEqual({ delivered: 7, isComplete: true });
  });

  it('counts what came before the number of replicas is known', async () => {
    const delivery = receipts.open('m');
    receipts.add('m', 1);
    receipts.add('m', 0);
    receipts.expect('m', 2);
    expect(await delivery).toEqual({ delivered: 1, isComplete: true });
  });

  it('is complete at once when nobody hears', async () => {
    const delivery = receipts.open('m');
    receipts.expect('m', 0);
    expect(await delivery).toEqual({ delivered: 0, isComplete: true });
  });

  it('waits for a silent replica only so long', async () => {
    const delivery = receipts.open('m', 5);
    receipts.expect('m', 2);
    receipts.add('m', 1);
    expect(await delivery).toEqual({ delivered: 1, isComplete: false });
  });

  it('takes no receipt for what nobody waits for', async () => {
    expect(receipts.add('__proto__', 1)).toBe(false);
    const delivery = receipts.open('m');
    receipts.closeAll();
    expect(receipts.add('m', 1)).toBe(false);
    receipts.expect('m', 1);
    expect(await delivery).toEqual({ delivered: 0, isComplete: false });
  });
});
