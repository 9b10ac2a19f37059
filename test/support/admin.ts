import { runAdmin } from '../../apps/server/src/admin/run-admin.js';
import type { Extension } from '../../apps/server/src/app.module-definition.js';
import type { Gatehouse } from './gatehouse.js';

export interface AdminAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** The command line with these variables and no others, in this process, without a terminal. */
export const runAdminHere = (variables: Variables, ...args: string[]): Promise<AdminAnswer> =>
  runExtendedAdmin([], variables, args);

/** The same for what goes on until the signal: tells of each line, and resolves with the code. */
export const followHere = (
  variables: Variables,
  args: readonly string[],
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<0 | 1> =>
  runAdmin(args, {
    variables,
    isInteractive: false,
    confirm: () => Promise.reject(new Error('nobody is there to be asked')),
    print: async (text) => tell(text),
    warn: tell,
    interruption: () => signal,
  });

async function runExtendedAdmin(
  extensions: readonly Extension[],
  variables: Variables,
  args: readonly string[],
): Promise<AdminAnswer> {
  let [stdout, stderr] = ['', ''];
  const terminal = {
    variables,
    isInteractive: false,
    confirm: () => Promise.reject(new Error('nobody is there to be asked')),
    print: async (text: string) => void (stdout += text),
    warn: (text: string) => void (stderr += text),
    interruption: () => AbortSignal.abort(),
  };
  const code = await runAdmin(args, terminal, extensions);
  return { code, stdout, stderr };
}

/** The command line on the storage of a running service, told of its extensions or not. */
export class Admin {
  constructor(
    private readonly gatehouse: Pick<Gatehouse, 'storage'>,
    private readonly extensions: readonly Extension[] = [],
  ) {}

  run(...args: string[]): Promise<AdminAnswer> {
    return runExtendedAdmin(this.extensions, this.gatehouse.storage.environment, args);
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
