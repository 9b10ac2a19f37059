import { randomUUID } from 'node:crypto';
import { SweeperService } from '#libs/platform';
import { AssertionStore, expiredAssertions } from './assertion.store.js';
import { describeOAuthOnDatabases } from '../testbed/oauth-database.testbed.js';

describeOAuthOnDatabases('presented assertions', (replicas) => {
  const accept = (id: string, replica = 0) =>
    new AssertionStore(replicas()[replica % 2 === 0 ? 0 : 1]).accept(id, Date.now() + 60_000);

  it('are accepted once', async () => {
    const id = randomUUID();
    expect(await accept(id)).toBe(true);
    expect(await accept(id)).toBe(false);
    expect(await accept(id, 1)).toBe(false);
  });

  it('are accepted once under 32 parallel calls', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = randomUUID();
      const calls = Array.from({ length: 32 }, (_, replica) => accept(id, replica));
      const accepted = await Promise.all(calls);
      expect(accepted.filter(Boolean)).toHaveLength(1);
    }
  });

  it('are not forgotten while a replica with a slower clock takes them for valid', async () => {
    const id = randomUUID();
    const [first, second] = replicas();
    const expiresAt = Date.now() - 10 * 60_000;
    expect(await new AssertionStore(first).accept(id, expiresAt)).toBe(true);
    await new SweeperService(second).add(expiredAssertions).sweep();
    expect(await new AssertionStore(second).accept(id, expiresAt)).toBe(false);
  });

  it('are each accepted when they differ', async () => {
    expect(await accept(randomUUID())).toBe(true);
    expect(await accept(randomUUID())).toBe(true);
  });
});
