import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { builtFile } from './built-file.js';
import type { Gatehouse } from './gatehouse.js';

export interface AdminAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** Looked up once: a spec runs many. */
let main: string | undefined;

/** Runs the built command line with these variables and no others, without a terminal. */
export async function runAdmin(variables: Variables, ...args: string[]): Promise<AdminAnswer> {
  main ??= builtFile('admin/main.js');
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** The command line on the storage of a running service. */
export class Admin {
  constructor(private readonly gatehouse: Pick<Gatehouse, 'storage'>) {}

  run(...args: string[]): Promise<AdminAnswer> {
    return runAdmin(this.gatehouse.storage.environment, ...args);
  }

  /** What it says on a terminal; throws unless it did what it was asked. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0 || stderr !== '') throw new Error(`${code}: ${stderr}`);
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '--json')) as T;
  }
}
