import { useReplicas } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { PASSKEYS, passkeysOf, signedUp, withFurtherPasskey } from './own-account.js';

describe('account frames for the open tabs of an account (contract: Tab hub)', () => {
  const [here, there] = useReplicas();

  it('a passkey that was added, and one that was removed, on every replica, and to no other account', async () => {
    const ann = await signedUp(here);
    const eve = await signedUp(here, 'Eve');
    const tabs = [
      await TabClient.open(here, ann),
      await TabClient.open({ port: there.port, origin: here.origin }, ann),
    ];
    const other = await TabClient.open(here, eve);
    const before = Math.floor(Date.now() / 1000);
    await withFurtherPasskey(here, ann);
    const [added] = await passkeysOf(ann);
    await ann.send('PATCH', `${PASSKEYS}/${added?.id}`, { name: 'Phone' });
    await ann.send('DELETE', `${PASSKEYS}/${added?.id}`);
    for (const tab of tabs) {
      await tab.next('account', ({ type }) => type === 'passkey-removed');
      const told = tab.received('account').map(({ data }) => data);
      const at = expect.any(Number);
      expect(told).toEqual([
        { type: 'passkey-added', at },
        { type: 'passkey-removed', at },
      ]);
      expect(told[0]?.['at']).toBeGreaterThanOrEqual(before);
      expect(told[0]?.['at']).toBeLessThanOrEqual(before + 60);
    }
    await other.settle();
    expect(other.received('account')).toEqual([]);
    await Promise.all([...tabs, other].map((tab) => tab.close()));
  });
});
