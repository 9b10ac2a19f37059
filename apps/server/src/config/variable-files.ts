import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 65_536;

/**
 * The variables, with those of `names` that are given as `<NAME>_FILE` read from that file and trimmed, and one line
 * for each file that could not be read. A line contains neither path nor content: an operator may have put the secret
 * itself where its path belongs.
 */
export function withVariableFiles(variables: NodeJS.ProcessEnv, names: readonly string[]) {
  const filled = { ...variables };
  const problems: string[] = [];
  for (const name of names) {
    const path = variables[`${name}_FILE`];
    if (!path) continue;
    const found = variables[name]
      ? { fault: `and ${name} are both set; keep one` }
      : readShortFile(path, MAX_BYTES);
    if (found.fault === undefined) filled[name] = found.content;
    else problems.push(`${name}_FILE ${found.fault}`);
  }
  return { variables: filled, problems };
}

type Found = { readonly content: string; readonly fault?: never } | { readonly fault: string };

/** The trimmed text of a file, or the fault as the end of a line. */
export function readShortFile(path: string, maxBytes: number): Found {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { fault: 'does not name a file' };
    if (file.size > maxBytes) return { fault: `names a file of more than ${maxBytes} bytes` };
    const content = readFileSync(path, 'utf8').trim();
    return content === '' ? { fault: 'names a file that is empty' } : { content };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `names a file that cannot be read (${code})` };
  }
}
