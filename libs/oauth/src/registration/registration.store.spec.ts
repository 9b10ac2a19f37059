import { randomUUID } from 'node:crypto';
import { describeOAuthOnDatabases } from '../testbed/oauth-database.testbed.js';
import { recordClientUse, RegisteredClientEntity } from '../client/client.store.js';
import { RegistrationStore } from './registration.store.js';

const KIB = 1024;

type Members = Partial<Pick<RegisteredClientEntity, 'grantedAt' | 'storedBytes'>>;

describeOAuthOnDatabases('unused registrations', (replicas) => {
  const manager = () => replicas()[0].manager;
  const sweeper = (keptBytes: number, replica: 0 | 1 = 0, stepBytes = 10 * KIB) =>
    new RegistrationStore(replicas()[replica], { keptBytes, stepBytes });

  const client = (createdAt: number, members: Members = {}) => ({
    id: randomUUID(),
    metadata: {},
    secretHash: null,
    createdAt,
    lastUsedAt: createdAt,
    grantedAt: null,
    storedBytes: KIB,
    expiresAt: Date.now() + 60_000,
    ...members,
  });
  /** Registers clients one after the other, at these times. */
  const registered = async (times: number[], members: Members = {}) => {
    for (let from = 0; from < times.length; from += 100) {
      const rows = times.slice(from, from + 100).map((time) => client(time, members));
      await manager().insert(RegisteredClientEntity, rows);
    }
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const times = async () => {
    const rows = await manager().find(RegisteredClientEntity, { order: { createdAt: 'ASC' } });
    return rows.map(({ createdAt }) => createdAt);
  };

  afterEach(() => manager().deleteAll(RegisteredClientEntity));

  it('all stay while there is room', async () => {
    await registered(upTo(5));
    await sweeper(5 * KIB).sweep();
    expect(await times()).toEqual([1, 2, 3, 4, 5]);
  });

  it('the oldest go first, by the bytes that newer ones take', async () => {
    await registered([1, 2]);
    await registered([3], { storedBytes: 3 * KIB });
    await registered([4, 5]);
    await sweeper(5 * KIB).sweep();
    expect(await times()).toEqual([3, 4, 5]);
    await sweeper(4 * KIB).sweep();
    expect(await times()).toEqual([4, 5]);
  });

  it('go in batches, however many, also when replicas sweep at once', async () => {
    await registered(upTo(1_300));
    await Promise.all([0, 1, 0, 1].map((replica) => sweeper(7 * KIB, replica as 0 | 1).sweep()));
    expect(await times()).toEqual([1294, 1295, 1296, 1297, 1298, 1299, 1300]);
  });

  it('one that ever reached a grant stays, and takes no room', async () => {
    await registered([1, 5], { grantedAt: 7, storedBytes: 100 * KIB });
    await registered([2, 3, 4]);
    await sweeper(2 * KIB).sweep();
    expect(await times()).toEqual([1, 3, 4, 5]);
  });

  it('one that is given a grant while it would go either stays as granted or is gone', async () => {
    const row = client(1);
    const sound: boolean[] = [];
    for (let round = 0; round < 20; round += 1) {
      await manager().deleteAll(RegisteredClientEntity);
      await manager().insert(RegisteredClientEntity, [row, client(2)]);
      await Promise.all([recordClientUse(replicas()[1], row.id), sweeper(KIB).sweep()]);
      const left = await manager().findOneBy(RegisteredClientEntity, { id: row.id });
      sound.push(left === null || left.grantedAt !== null);
    }
    expect(sound).not.toContain(false);
  });

  it('older ones make room for newer ones between two rounds, on every replica', async () => {
    await registered(upTo(20));
    const [first, second] = [sweeper(8 * KIB), sweeper(8 * KIB, 1)];
    const register = async (by: RegistrationStore, time: number) => {
      await by.makeRoom(KIB);
      await registered([time]);
    };
    for (let time = 100; time < 160; time += 1) {
      await register(time % 2 ? first : second, time);
      expect((await times()).length).toBeLessThanOrEqual(8 + 2 * 10);
    }
    expect((await times())[0]).toBeGreaterThan(100);
  });

  it('parallel registrations are let in up to one step, until the next sweep', async () => {
    const store = sweeper(8 * KIB);
    let sweeps = 0;
    const sweep = store.sweep.bind(store);
    store.sweep = async () => {
      sweeps += 1;
      await sweep();
    };
    await Promise.all(Array.from({ length: 64 }, () => store.makeRoom(KIB)));
    expect(sweeps).toBe(7);
  });

  it('none gets room while the sweep fails', async () => {
    const store = sweeper(8 * KIB);
    store.sweep = () => Promise.reject(new Error('the database is gone'));
    const requests = Array.from({ length: 3 }, () => store.makeRoom(KIB));
    const outcomes = await Promise.allSettled(requests);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });

  it('are looked at in the index alone', async () => {
    const [dataSource] = replicas();
    if (dataSource.options.type !== 'sqlite') return;
    const plan: { detail: string }[] = await dataSource.query(
      `EXPLAIN QUERY PLAN SELECT created_at, SUM(stored_bytes) OVER (ORDER BY created_at DESC)
       FROM oauth_clients WHERE granted_at IS NULL`,
    );
    expect(plan.map(({ detail }) => detail).join()).toMatch(/COVERING INDEX oauth_clients_untried/);
  });
});
