import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from './installed.testbed.ts';
import { type Program, onFreePort, startProgram } from './program.testbed.ts';

/** A temporary Redis: empty at start, nothing kept, loopback only. */
export class RedisServer {
  readonly url: string;
  readonly port: number;
  private readonly program: Program;

  constructor(program: Program, port: number) {
    this.program = program;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}/0`;
  }

  get pid() {
    return this.program.pid;
  }

  /** Freezes the server: connections stay open, but nothing is answered. */
  freeze() {
    this.program.signal('SIGSTOP');
  }

  thaw() {
    this.program.signal('SIGCONT');
  }

  /** Kills it at once, frozen or not; its port is free afterwards. May be called twice. */
  async stop() {
    await this.program.stop();
  }
}

/** Starts a Redis on `port`, or on a free one. `args` are additional redis-server arguments. */
export async function startRedisServer(port?: number, args: string[] = []): Promise<RedisServer> {
  return port === undefined ? onFreePort((free) => start(free, args)) : start(port, args);
}

async function start(port: number, args: string[]) {
  const path = findRedisServer();
  if (path === undefined) throw new Error('redis-server is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const inMemory = ['--save', '', '--appendonly', 'no', '--databases', '1024'];
  const program = await startProgram({
    path,
    args: [...settings, ...inMemory, ...args],
    folder,
    readyLine: 'Ready to accept connections',
  });
  return new RedisServer(program, port);
}
