import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { AdminAnswer } from './admin.js';
import { builtFile } from './built-file.js';

type Variables = Readonly<Record<string, string>>;

/** Starts the built command line with these variables and no others, without a terminal. */
export function spawnAdmin(variables: Variables, ...args: string[]) {
  return spawn(process.execPath, [builtFile('admin/main.js'), ...args], {
    env: { ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The same, until it ends. */
export async function runAdminProcess(
  variables: Variables,
  ...args: string[]
): Promise<AdminAnswer> {
  const child = spawnAdmin(variables, ...args);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitCodeOf(child),
  ]);
  return { code, stdout, stderr };
}

/** Null when a signal ended it. */
export const exitCodeOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('close', resolve);
  });
