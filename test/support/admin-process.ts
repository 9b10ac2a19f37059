import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { AdminAnswer } from './admin.js';
import { builtFile } from './built-file.js';

type Variables = Readonly<Record<string, string>>;

/** Starts the built command line with these variables and no others, without a terminal. */
export const spawnAdmin = (variables: Variables, ...args: string[]) =>
  spawnGatehouse(variables, 'admin', ...args);

/** Runs the built command line until it exits. */
export const runAdminProcess = (variables: Variables, ...args: string[]): Promise<AdminAnswer> =>
  answerOf(spawnAdmin(variables, ...args));

/** Runs the built command `gatehouse` in the same way, until it exits. */
export const runGatehouseProcess = (
  variables: Variables,
  ...args: string[]
): Promise<AdminAnswer> => answerOf(spawnGatehouse(variables, ...args));

/** Null when a signal ended it. */
export const exitCodeOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('close', resolve);
  });

function spawnGatehouse(variables: Variables, ...args: string[]) {
  return spawn(process.execPath, [builtFile('main.js'), ...args], {
    env: { ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function answerOf(child: ReturnType<typeof spawnGatehouse>): Promise<AdminAnswer> {
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitCodeOf(child),
  ]);
  return { code, stdout, stderr };
}
