import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { builtFile } from './built-file.js';
import { dyingWithParent } from '#libs/platform/testing';
import { sqliteForTests } from './services/storage-for-tests.js';

type Variables = Readonly<Record<string, string>>;

/** Cached, because a load test starts many servers. */
let main: string | undefined;

/** The built service in a process of its own, as `npm start` and the container image run it. */
export class ServerProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcess;

  /** Runs with only these variables; `script` and its arguments default to the built service. */
  constructor(
    variables: Variables,
    script: readonly string[] = [(main ??= builtFile('main.js')), 'start'],
  ) {
    const [command = '', ...args] = [...dyingWithParent(), process.execPath, ...script];
    this.child = spawn(command, args, { env: { ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close');
  }

  /** The port that the log reports; rejects when the process exits first. */
  async port(): Promise<number> {
    const port = /listens on \S+ port (\d+)\D/.exec(this.stdout)?.[1];
    if (port !== undefined) return Number(port);
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`ended: ${this.stdout}${this.stderr}`);
    if (this.child.stdout) await Promise.race([once(this.child.stdout, 'data'), this.ended]);
    return this.port();
  }

  get pid() {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals) {
    this.child.kill(signal);
  }

  /** Waits for the exit; null when a signal ended the process. */
  async exitCode(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  async kill() {
    this.signal('SIGKILL');
    await this.ended;
  }
}

/** The built service on a free port with a new SQLite file. */
export async function startBuiltServer(variables: Variables = {}, script?: readonly string[]) {
  const database = await sqliteForTests();
  const own = { PORT: '0', DATABASE_URL: database.url };
  const server = new ServerProcess({ ...own, ...variables }, script);
  const stop = async () => {
    await server.kill();
    await database.dispose();
  };
  try {
    const port = await server.port();
    const countUsers = () => countRows(database.path, 'users');
    return {
      process: server,
      port,
      origin: `http://localhost:${port}`,
      databaseUrl: database.url,
      countUsers,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function countRows(database: string, table: string): Promise<number> {
  const dataSource = await new DataSource({ type: 'sqlite', database }).initialize();
  try {
    const [row] = await dataSource.query<{ n: number }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
    return row?.n ?? 0;
  } finally {
    await dataSource.destroy();
  }
}

export type BuiltServer = Awaited<ReturnType<typeof startBuiltServer>>;
