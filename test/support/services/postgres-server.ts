import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresFolder } from './installed.ts';
import { onFreePort, type Program, startProgram } from './program.ts';

const run = promisify(execFile);

/** A throw-away Postgres cluster: empty at start, nothing kept, loopback only, no passwords. */
export class PostgresServer {
  readonly url: string;
  private readonly program: Program;

  constructor(program: Program, port: number) {
    this.program = program;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Ends it and its connections at once and removes its data. May be called twice. */
  async stop() {
    await this.program.stop('SIGQUIT');
  }
}

export const startPostgresServer = () => onFreePort(start);

async function start(port: number) {
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
  const program = await startProgram({
    path: join(binaries, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings(folder)],
    folder,
    readyLine: 'database system is ready to accept connections',
    account,
  });
  return new PostgresServer(program, port);
}

const settings = (folder: string) =>
  [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ].flatMap((setting) => ['-c', setting]);

/** Postgres refuses to run as root, so root runs it as somebody else. */
async function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return undefined;
  return (await findAccount('postgres')) ?? (await findAccount('nobody'));
}

async function findAccount(name: string) {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
