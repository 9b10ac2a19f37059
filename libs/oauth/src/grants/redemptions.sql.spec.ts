import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { eventually } from '../../../../test/support/eventually.js';
import { beginGrant, describeOnPostgres } from './grants-database.testbed.js';
import { Redemption } from './redemption.js';
import { Redemptions } from './redemptions.sql.js';
import { SqlTokenStore } from './token-store.sql.js';

/** Resolves when a statement of this database waits for a lock. */
async function somebodyWaits(dataSource: DataSource) {
  await eventually(async () => {
    const waiting = await dataSource.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length === 0) throw new Error('nobody waits');
  });
}

describeOnPostgres('refresh generations', (open) => {
  it('a token waits for a use of its successor that is under way, and is not good then', async () => {
    const dataSource = open();
    const store = new SqlTokenStore(dataSource);
    const redemptions = new Redemptions(dataSource, {});
    const grantId = await beginGrant(dataSource);
    const stored = async (generation: number) => {
      const value = randomUUID();
      const times = { payload: {}, expiresAt: Date.now() + 60_000 };
      await store.insert({ value, kind: 'RefreshToken', grantId, generation, ...times });
      const found = await redemptions.find(value);
      if (!found) throw new Error('not stored');
      return found;
    };
    const [old, successor] = [await stored(0), await stored(1)];

    const replica = dataSource.createQueryRunner();
    await replica.startTransaction();
    await replica.query('UPDATE oauth_grants SET last_used_at = 1 WHERE id = $1', [grantId]);
    const use = 'UPDATE oauth_tokens SET consumed_at = 1 WHERE id_hash = $1';
    await replica.query(use, [hashSecret(successor.value)]);

    const used = redemptions.redeem(new Redemption(old));
    await Promise.race([used, somebodyWaits(dataSource)]);
    await replica.commitTransaction();
    await replica.release();
    expect(await used).toBe(false);
  });
});
