import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findPostgresFolder,
  findRedisServer,
} from '../../../libs/platform/src/testbed/installed.testbed.ts';
import { startPostgresServer } from '../../../libs/platform/src/testbed/postgres-server.testbed.ts';
import { startRedisServer } from '../../../libs/platform/src/testbed/redis-server.testbed.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const TEMPORARY = tmpdir();
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

interface Stoppable {
  stop(): Promise<void>;
}

let starting: Promise<Stoppable>[] = [];
let folder: string | undefined;

/**
 * Starts one temporary Redis and one temporary Postgres for the whole test run, if they are installed. Passes them to
 * the test processes in `TEST_REDIS_URL` and `TEST_POSTGRES_URL`. All temporary files of the run are in one folder,
 * so that none is left behind.
 */
export async function startSharedServices() {
  for (const signal of SIGNALS) process.once(signal, endBy);
  folder = await mkdtemp(join(hasRoom(IN_MEMORY) ? IN_MEMORY : TEMPORARY, 'gatehouse-'));
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  delete process.env['TEST_REDIS_URL'];
  delete process.env['TEST_POSTGRES_URL'];
  if (findRedisServer()) starting.push(exported('TEST_REDIS_URL', startRedisServer()));
  if (findPostgresFolder()) starting.push(exported('TEST_POSTGRES_URL', startPostgresServer()));
  try {
    await Promise.all(starting);
  } catch (error) {
    await stopSharedServices();
    throw error;
  }
}

/** Databases sync each commit, which is fast in memory. Containers often have only 64 MiB there. */
function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Stops all started services, including those that are still starting, and removes the run's temporary files. */
export async function stopSharedServices() {
  for (const signal of SIGNALS) process.off(signal, endBy);
  const started = await Promise.allSettled(starting);
  starting = [];
  await Promise.all(
    started.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)),
  );
  process.env['TMPDIR'] = TEMPORARY;
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function exported(variable: string, server: Promise<Stoppable & { url: string }>) {
  const started = await server;
  process.env[variable] = started.url;
  return started;
}

function endBy(signal: NodeJS.Signals) {
  void stopSharedServices().finally(() => process.kill(process.pid, signal));
}
