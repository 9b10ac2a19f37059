import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 65_536;

/**
 * The variables, with those that are given as `<NAME>_FILE` read and trimmed, and a line for each unreadable file. A
 * line has neither path nor content: an operator may have put the secret where its path belongs.
 */
export function withVariableFiles(variables: NodeJS.ProcessEnv, names: readonly string[]) {
  const filled = { ...variables };
  const problems: string[] = [];
  for (const name of names) {
    const path = variables[`${name}_FILE`];
    if (!path) continue;
    const found = variables[name]
      ? { fault: `and ${name} are both set; keep one` }
      : readShortFile(path);
    if (found.fault === undefined) filled[name] = found.content;
    else problems.push(`${name}_FILE ${found.fault}`);
  }
  return { variables: filled, problems };
}

type Found =
  | { readonly content: string; readonly fault?: never }
  | { readonly content?: never; readonly fault: string };

/** The trimmed text of a file, or the fault as the end of a line. */
export function readShortFile(path: string, maxBytes = MAX_BYTES): Found {
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

const RIGHTS = { ofOthers: 0o006, ofGroupAndOthers: 0o066 };

/**
 * One line for each of these variables that names a file which others may read or change. The rights of the group do
 * not count where the file belongs to someone else: then they are how this process reads it.
 */
export function exposedFiles(given: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = given[name];
    const file = path ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (!file) return [];
    const isOwn = file.uid === process.getuid?.();
    const exposed = file.mode & (isOwn ? RIGHTS.ofGroupAndOthers : RIGHTS.ofOthers);
    const mode = (file.mode & 0o777).toString(8);
    return exposed === 0
      ? []
      : [`${name} names a file that others may read or change (mode ${mode})`];
  });
}

/** Service links, which Kubernetes and Docker put into every container. */
const isInjected = (name: string, value: string) =>
  name.includes('_SERVICE_') || (name.includes('_PORT') && /^(?:tcp|udp):\/\//.test(value));

/** One line for each variable that is not read and is one letter away from one of `variables`. */
export function misspeltVariables(
  given: NodeJS.ProcessEnv,
  variables: readonly string[],
): string[] {
  const names = variables.flatMap((name) => [name, `${name}_FILE`]);
  const known = new Set(names);
  return Object.entries(given).flatMap(([name, value = '']) => {
    if (value === '' || known.has(name) || name.startsWith('OTEL_') || isInjected(name, value)) {
      return [];
    }
    const meant = names.find((one) => isOneLetterFrom(name, one));
    return meant === undefined ? [] : [`${name} is not read: did you mean ${meant}?`];
  });
}

/** Whether the names differ by one letter added, removed or replaced, or by two adjacent letters swapped. */
function isOneLetterFrom(name: string, other: string): boolean {
  if (name === other) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at += 1;
  const [rest, otherRest] = [name.slice(at), other.slice(at)];
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    [rest, rest.slice(1), swapped].includes(otherRest) ||
    [rest, rest.slice(1)].includes(otherRest.slice(1))
  );
}
