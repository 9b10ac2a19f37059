import type { ConnectionCalls } from './connection-calls.js';
import { ConnectionReaderService } from './connection-reader.service.js';

type Parts = ConstructorParameters<typeof ConnectionReaderService>;

describe('sums of what apps did', () => {
  it('are read for an account one after the other, and for all two at once; many more are refused', async () => {
    const reading: string[] = [];
    const most = { of: 0, inAll: 0 };
    const reader = new ConnectionReaderService(
      {} as Parts[0],
      {} as Parts[1],
      {} as Parts[2],
      {} as ConnectionCalls,
    );
    const goOn = Promise.withResolvers<void>();
    const read = (account: string) =>
      reader.sum(account, async () => {
        reading.push(account);
        most.of = Math.max(most.of, reading.filter((one) => one === account).length);
        most.inAll = Math.max(most.inAll, reading.length);
        await goOn.promise;
        reading.splice(reading.indexOf(account), 1);
        return account;
      });
    const sums = ['ann', 'bob', 'cid', 'ann', 'ann', 'cid'].map(read);
    const many = Array.from({ length: 40 }, () => read('dan'));
    goOn.resolve();
    expect(await Promise.all(sums)).toEqual(['ann', 'bob', 'cid', 'ann', 'ann', 'cid']);
    const ended = await Promise.allSettled(many);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
    expect(ended.at(-1)).toMatchObject({
      reason: { status: 503, headers: { 'Retry-After': '1' } },
    });
    expect(most).toEqual({ of: 1, inAll: 2 });
  });
});
