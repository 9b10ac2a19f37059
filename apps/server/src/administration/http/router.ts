import { RefusalError } from '#libs/accounts';
import type { Operation } from './operation.js';

interface Match {
  readonly operation: Operation;
  /** By the placeholders of its path, decoded. */
  readonly placeholders: Readonly<Record<string, string>>;
}

/** The operation that a request is for. Throws RefusalError 404, and 405 with `Allow`. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): Match {
  const matches = operations.flatMap((operation) => {
    const placeholders = placeholdersIn(operation.path, path);
    return placeholders ? [{ operation, placeholders }] : [];
  });
  if (matches.length === 0) throw new RefusalError(404, 'not found');
  const asked = method === 'HEAD' ? 'GET' : method;
  const match = matches.find(({ operation }) => operation.method === asked);
  if (match) return match;
  const methods = matches.map(({ operation }) => operation.method);
  const allowed = methods.includes('GET') ? ['HEAD', ...methods] : methods;
  const Allow = allowed.toSorted().join(', ');
  throw new RefusalError(405, `use ${Allow}`, { Allow });
}

function placeholdersIn(pattern: string, path: string): Record<string, string> | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = given[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined && part !== segment) return undefined;
    if (name === undefined) continue;
    const value = decode(segment);
    if (value === undefined) return undefined;
    found[name] = value;
  }
  return found;
}

/** Undefined for what no id can be: empty, wrongly encoded, or with NUL. */
function decode(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return value === '' || value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}
