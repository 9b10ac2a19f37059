import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Account } from './account.testbed.ts';
import { findProgram } from './installed.testbed.ts';

interface ProgramOptions {
  readonly path: string;
  readonly args: readonly string[];
  /** Working directory; removed when the program is stopped. */
  readonly folder: string;
  /** Printed by the program, on either output, once it is ready. */
  readonly readyLine: string;
  readonly account?: Account;
  /** The signal that ends it together with its children; SIGKILL by default, for a program without any. */
  readonly endsBy?: NodeJS.Signals;
}

/** A running child process with a folder of its own. */
export class Program {
  private readonly child: ChildProcess;
  private readonly folder: string;
  private readonly endsBy: NodeJS.Signals;

  constructor(child: ChildProcess, folder: string, endsBy: NodeJS.Signals) {
    this.child = child;
    this.folder = folder;
    this.endsBy = endsBy;
    process.once('exit', this.kill);
  }

  get pid() {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals) {
    this.child.kill(signal);
  }

  /** Ends the process and waits for its exit; its folder stays. May be called twice. */
  async end(signal: NodeJS.Signals = this.endsBy) {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill(signal);
      await gone;
    }
    process.off('exit', this.kill);
  }

  /** Ends the process and removes its folder. May be called twice. */
  async stop(signal: NodeJS.Signals = this.endsBy) {
    await this.end(signal);
    await rm(this.folder, { recursive: true, force: true });
  }

  private readonly kill = () => void this.child.kill(this.endsBy);
}

/** Starts a program and waits for its ready line; rejects with its output when it exits first. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { path, args, folder, readyLine, account, endsBy = 'SIGKILL' } = options;
  const [command = path, ...rest] = [...dyingWithParent(endsBy), path, ...args];
  const child = spawn(command, rest, {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  const program = new Program(child, folder, endsBy);
  try {
    await saysLine(child, readyLine);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return program;
}

function saysLine(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
      if (output.includes(line)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`ended before it was ready: ${output}`)));
  });
}

/** A command prefix that makes Linux end the command when this process ends, for whatever reason. */
export function dyingWithParent(signal: NodeJS.Signals = 'SIGKILL') {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', signal.slice(3)];
}

/** A port that was free a moment ago. Another process may take it first, so the caller has to retry. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Runs `start` on a free port, up to three times. */
export async function onFreePort<T>(start: (port: number) => Promise<T>, tries = 3): Promise<T> {
  try {
    return await start(await findFreePort());
  } catch (error) {
    if (tries <= 1) throw error;
    return onFreePort(start, tries - 1);
  }
}
