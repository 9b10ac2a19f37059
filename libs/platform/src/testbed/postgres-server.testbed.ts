import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unprivilegedAccount } from './account.testbed.ts';
import { findPostgresFolder } from './installed.testbed.ts';
import { type Program, onFreePort, startProgram } from './program.testbed.ts';

const run = promisify(execFile);

/** A temporary Postgres cluster: empty at start, nothing kept, loopback only, no passwords. */
export class PostgresServer {
  readonly url: string;
  private readonly serve: () => Promise<Program>;
  private program: Program;

  constructor(serve: () => Promise<Program>, program: Program, port: number) {
    this.serve = serve;
    this.program = program;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  get pid() {
    return this.program.pid;
  }

  /** Kills it and its connections at once; with `synchronous_commit=on` `revive` restores all committed data. */
  async crash() {
    await this.program.end('SIGQUIT');
  }

  async revive() {
    this.program = await this.serve();
  }

  /** Kills it and its connections at once and removes its data. May be called twice. */
  async stop() {
    await this.program.stop('SIGQUIT');
  }
}

/** `settings` are additional ones, such as `max_connections=5`. */
export const startPostgresServer = (settings: readonly string[] = []) =>
  onFreePort((port) => start(port, settings));

async function start(port: number, settings: readonly string[]) {
  const binaries = findPostgresFolder();
  if (binaries === undefined) throw new Error('postgresql is not installed');
  const account = await unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  try {
    if (account) await chown(folder, account.uid, account.gid);
    const cluster = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    await run(join(binaries, 'initdb'), [...cluster, '--no-sync'], { cwd: folder, ...account });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const all = [...defaults(folder), ...settings].flatMap((setting) => ['-c', setting]);
  const serve = () =>
    startProgram({
      path: join(binaries, 'postgres'),
      args: ['-D', data, '-p', String(port), ...all],
      folder,
      readyLine: 'database system is ready to accept connections',
      account,
    });
  return new PostgresServer(serve, await serve(), port);
}

const defaults = (folder: string) => [
  'listen_addresses=127.0.0.1',
  `unix_socket_directories=${folder}`,
  'max_connections=200',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
];
