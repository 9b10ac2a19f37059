import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findPgBouncer,
  onFreePort,
  type Program,
  startProgram,
  unprivilegedAccount,
} from '#libs/platform/testing';

/** How long a client keeps a server connection: for a transaction, or for its session. */
export type PoolMode = 'transaction' | 'session';

/** A PgBouncer in front of one Postgres, with Debian's defaults and only the necessary settings. */
export class PgBouncerServer {
  constructor(
    private readonly program: Program,
    /** The URL of the database through the pooler. */
    readonly url: string,
  ) {}

  /** May be called twice. */
  stop = () => this.program.stop();
}

/** Pools connections to `databaseUrl`; clients share `poolSize` of them. */
export const startPgBouncer = (databaseUrl: string, poolMode: PoolMode, poolSize: number) =>
  onFreePort(async (port) => {
    const path = findPgBouncer();
    if (path === undefined) throw new Error('pgbouncer is not installed');
    const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl);
    const account = await unprivilegedAccount();
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${poolMode}`,
      `default_pool_size = ${poolSize}`,
    ];
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, settings.join('\n'), { mode: 0o644 });
    if (account) await chown(folder, account.uid, account.gid);
    const program = await startProgram({
      path,
      args: [file],
      folder,
      readyLine: 'process up',
      account,
    });
    return new PgBouncerServer(program, `postgres://${username}@127.0.0.1:${port}${pathname}`);
  });
