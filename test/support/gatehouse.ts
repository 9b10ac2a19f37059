import type { Extension } from '#server';
import { restoreClock } from '#libs/platform/testing';
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

/**
 * Something for all tests of a block: it starts before the first and stops after the last, as do several in the order
 * of their calls. It is empty until then, so read it in hooks and tests only.
 */
export function useStarted<Started extends { stop(): unknown }>(
  start: () => Promise<Started>,
): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(async () => void (await started.stop()));
  return started;
}

/** A service for all tests of a block, as `useStarted`; puts the clock back after each test. */
export function useGatehouse(start = () => startGatehouse()): Gatehouse {
  afterEach(restoreClock);
  return useStarted(start);
}

/** Two replicas for all tests of a block, as `useGatehouse`; with embedded storage both are one process. */
export function useReplicas(
  start = (replicaOf?: Gatehouse) => startGatehouse({}, replicaOf),
): readonly [Gatehouse, Gatehouse] {
  const here = useGatehouse(start);
  if (globalThis.STORAGE !== 'embedded') return [here, useGatehouse(() => start(here))];
  const there = {} as Gatehouse;
  beforeAll(() => void Object.assign(there, here));
  return [here, there];
}
