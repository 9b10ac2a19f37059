import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../testing.js';
import { databaseMigrations } from './migrations/database-migrations.js';
import { getServiceKey, ServiceKeyEntity, ServiceMac } from './service-keys.js';

const schema = { entities: [ServiceKeyEntity], migrations: databaseMigrations };

describeOnDatabases('keys of the service', schema, (replicas) => {
  const get = (name: string, replica = 0) => getServiceKey(replicas()[replica % 2 ? 1 : 0], name);

  it('are 32 bytes, one for each name', async () => {
    const [one, other] = [await get(randomUUID()), await get(randomUUID())];
    expect([one.symmetricKeySize, other.symmetricKeySize]).toEqual([32, 32]);
    expect(one.equals(other)).toBe(false);
  });

  it('stay as they are', async () => {
    const name = randomUUID();
    const made = await get(name);
    expect((await get(name, 1)).equals(made)).toBe(true);
  });

  it('are the same for 32 who ask at once for a new one', async () => {
    const name = randomUUID();
    const keys = await Promise.all(Array.from({ length: 32 }, (_, n) => get(name, n)));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
  });

  it('make the MACs of all replicas, each for its parts and its key alone', async () => {
    const name = randomUUID();
    const [here, there] = replicas().map((replica) => new ServiceMac(replica, name));
    const mac = (await here?.of('a', 'b\nc')) ?? '';
    expect(mac).toMatch(/^[\w-]{43}$/);
    expect(await there?.isOf(mac, 'a', 'b\nc')).toBe(true);
    expect(await there?.isOf(mac, 'a', 'b')).toBe(false);
    expect(await there?.isOf('', 'a', 'b\nc')).toBe(false);
    expect(await new ServiceMac(replicas()[0], randomUUID()).isOf(mac, 'a', 'b\nc')).toBe(false);
  });

  it('are refused when the stored value is damaged', async () => {
    const name = randomUUID();
    await replicas()[0].manager.insert(ServiceKeyEntity, { name, secret: 'short', createdAt: 0 });
    await expect(get(name)).rejects.toThrow('damaged');
  });
});
