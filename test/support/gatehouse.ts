import type { Extension } from '#server';
import { type Service, startService } from './service.js';
import { storageForTests, type TestStorage } from './services/storage-for-tests.js';

export interface Gatehouse extends Service {
  readonly storage: TestStorage;
}

type Variables = Readonly<Record<string, string>>;

/** The service on a free port, with storage of its own unless it shares that of a replica. */
export async function startGatehouse(
  variables: Variables = {},
  replicaOf?: Gatehouse,
  extensions: readonly Partial<Extension>[] = [],
): Promise<Gatehouse> {
  const storage = replicaOf?.storage ?? (await storageForTests());
  const service = await startService({
    variables: { ...storage.environment, ...variables },
    extensions: extensions.map((extension) => ({ gatehouse: 1, ...extension })),
  });
  const stop = async () => {
    await service.stop();
    if (!replicaOf) await storage.dispose();
  };
  return { ...service, storage, stop };
}
