import { randomUUID } from 'node:crypto';
import { ClientBlockStore } from '../client/client-block.store.js';
import { machineMetadata } from '../client/client.js';
import { ClientStore } from '../client/client.store.js';
import { describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { MachineTokenEntity, MachineTokenStore } from './machine-token.store.js';

const HOUR = 60 * 60 * 1000;
const RESOURCE = `${ORIGIN}/svc/mcp`;

describeOAuthOnDatabases('tokens of machine clients', (replicas) => {
  const open = () => replicas()[0];
  let clients: ClientStore;
  let store: MachineTokenStore;
  let other: MachineTokenStore;
  let clientId: string;

  const token = () => ({
    value: randomUUID(),
    clientId,
    origin: ORIGIN,
    resource: RESOURCE,
    scope: 'account:read code:run',
    createdAt: Date.now(),
    expiresAt: Date.now() + HOUR,
  });
  const rows = () => open().manager.countBy(MachineTokenEntity, { clientId });

  beforeEach(async () => {
    clients = new ClientStore(open());
    store = new MachineTokenStore(open());
    other = new MachineTokenStore(replicas()[1]);
    clientId = randomUUID();
    const metadata = machineMetadata({ client_name: 'Robot' }, { scopes: ['code:run'] });
    await clients.insert({ client_id: clientId, ...metadata }, { isLasting: true });
  });

  it('are found on every replica with the name of their client, by themselves alone', async () => {
    const { value, ...issued } = token();
    expect(await store.insert({ value, ...issued })).toBe(true);
    expect(await other.find(value)).toEqual({
      clientId,
      app: 'Robot',
      origin: ORIGIN,
      resource: RESOURCE,
      scopes: ['account:read', 'code:run'],
      createdAt: issued.createdAt,
      expiresAt: issued.expiresAt,
    });
    expect(await store.find(`${value}x`)).toBeUndefined();
    const [row] = await open().manager.findBy(MachineTokenEntity, { clientId });
    expect(JSON.stringify(row)).not.toContain(value);
  });

  it('are removed one by one', async () => {
    const [kept, removed] = [token(), token()];
    for (const stored of [kept, removed]) await store.insert(stored);
    await store.remove(removed.value);
    expect(await store.find(removed.value)).toBeUndefined();
    expect(await store.find(kept.value)).toBeDefined();
  });

  it('are not stored while their client is blocked', async () => {
    const blocks = new ClientBlockStore(replicas()[1]);
    await blocks.add('client', clientId);
    const stored = await Promise.all([store, other].map((one) => one.insert(token())));
    expect([...stored, await rows()]).toEqual([false, false, 0]);
    await blocks.remove('client', clientId);
    expect(await store.insert(token())).toBe(true);
  });

  it('are not found while their client is blocked', async () => {
    const blocks = new ClientBlockStore(open());
    const issued = token();
    await store.insert(issued);
    await blocks.add('client', clientId);
    expect([await store.find(issued.value), await store.isClientUsable(clientId)]).toEqual([
      undefined,
      false,
    ]);
    await blocks.remove('client', clientId);
    expect(await store.find(issued.value)).toBeDefined();
    expect(await store.isClientUsable(clientId)).toBe(true);
  });

  it('go with their client, and are not issued to one that is not there', async () => {
    const issued = token();
    await store.insert(issued);
    await clients.remove(clientId);
    expect(await other.find(issued.value)).toBeUndefined();
    expect(await store.isClientUsable(clientId)).toBe(false);
    expect(await store.insert(token())).toBe(false);
    expect(await rows()).toBe(0);
  });

  it('a deletion of the client among 64 parallel inserts leaves none', async () => {
    for (let round = 0; round < 3; round += 1) {
      const issuing = Array.from({ length: 64 }, (_, n) => (n % 2 ? other : store).insert(token()));
      const removal = issuing[5]?.then(() => clients.remove(clientId));
      const results = await Promise.all(issuing);
      await removal;
      expect(results[5]).toBe(true);
      expect(await rows()).toBe(0);
      clientId = randomUUID();
      const metadata = machineMetadata({ client_name: 'Robot' }, { scopes: ['code:run'] });
      await clients.insert({ client_id: clientId, ...metadata }, { isLasting: true });
    }
  });

  it('record the use of their client', async () => {
    await open().query('UPDATE oauth_clients SET last_used_at = 0 WHERE id = $1', [clientId]);
    await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? other : store).insert(token())));
    expect((await clients.get(clientId)).lastUsedAt).toBeGreaterThan(0);
  });
});
