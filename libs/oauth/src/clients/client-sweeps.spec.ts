import type { DataSource } from 'typeorm';
import { SweeperService } from '#libs/platform';
import { clientSweeps } from '../oauth-sweeps.js';
import { AssertionEntity } from '../client/assertion.entity.js';
import { describeOnDatabases } from './clients-database.testbed.js';
import { RegisteredClientEntity } from '../client/registered-client.entity.js';

describeOnDatabases('the sweeper of clients', (replicas) => {
  const sweep = (replica: DataSource) => new SweeperService(replica).add(...clientSweeps).sweep();

  it('removes every expired registration and assertion, however many, and no other', async () => {
    const now = Date.now();
    const { manager } = replicas()[0];
    const client = (id: string, expiresAt: number) => ({
      id,
      expiresAt,
      metadata: {},
      secretHash: null,
      createdAt: 0,
      lastUsedAt: 0,
    });
    for (let from = 0; from < 1_100; from += 100) {
      const expired = Array.from({ length: 100 }, (_, n) => `old-${from + n}`);
      await manager.insert(
        RegisteredClientEntity,
        expired.map((id) => client(id, now - 1)),
      );
      await manager.insert(
        AssertionEntity,
        expired.map((idHash) => ({ idHash, expiresAt: now - 1 })),
      );
    }
    await manager.insert(RegisteredClientEntity, client('live', now + 60_000));
    await manager.insert(AssertionEntity, { idHash: 'live', expiresAt: now + 60_000 });
    await Promise.all(replicas().map(sweep));
    const clients = await manager.find(RegisteredClientEntity);
    expect(clients.map(({ id }) => id)).toEqual(['live']);
    const assertions = await manager.find(AssertionEntity);
    expect(assertions.map(({ idHash }) => idHash)).toEqual(['live']);
  });

  it('has nothing to do when there is nothing', async () => {
    await sweep(replicas()[1]);
    expect(await Promise.all(clientSweeps.map((one) => one(replicas()[1], 100)))).toEqual([0, 0]);
  });
});
