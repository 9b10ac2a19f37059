import { runAdmin } from '../../apps/server/src/cli/run-admin.js';
import type { Extension } from '../../apps/server/src/app.module-definition.js';
import type { Gatehouse } from './gatehouse.js';

export interface AdminAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** Runs the command line with only these variables, in this process, without a terminal. */
export const runAdminHere = (variables: Variables, ...args: string[]): Promise<AdminAnswer> =>
  runExtendedAdmin([], variables, args);

/** The same for a command that runs until the signal: calls back with each line, and resolves to the exit code. */
export const followHere = (
  variables: Variables,
  args: readonly string[],
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<0 | 1> =>
  runAdmin(args, {
    variables,
    isInteractive: false,
    confirm: () => Promise.reject(new Error('no terminal to ask')),
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
    confirm: () => Promise.reject(new Error('no terminal to ask')),
    print: async (text: string) => void (stdout += text),
    warn: (text: string) => void (stderr += text),
    interruption: () => AbortSignal.abort(),
  };
  const code = await runAdmin(args, terminal, extensions);
  return { code, stdout, stderr };
}

/** The command line on the storage of a running service, with or without its extensions. */
export class Admin {
  constructor(
    private readonly gatehouse: Pick<Gatehouse, 'storage'>,
    private readonly extensions: readonly Extension[] = [],
    private readonly variables: Variables = {},
  ) {}

  run(...args: string[]): Promise<AdminAnswer> {
    const variables = { ...this.gatehouse.storage.environment, ...this.variables };
    return runExtendedAdmin(this.extensions, variables, args);
  }

  /** The output for a terminal; throws unless the command succeeded. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0 || stderr !== '') throw new Error(`${code}: ${stderr}`);
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '--json')) as T;
  }
}
