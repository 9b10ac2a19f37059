import { VARIABLES } from './environment.js';

/** Variables of older versions. */
const REMOVED = new Set(['DEVTOOLS_PORT', 'DEVTOOLS_PORT_FILE']);

/** Service links, which Kubernetes and Docker put into every container. */
const isInjected = (name: string, value: string) =>
  name.includes('_SERVICE_') || (name.includes('_PORT') && /^(?:tcp|udp):\/\//.test(value));

/** One line for each variable that is not read: one of an older version, or one letter away from a known name. */
export function misspeltVariables(given: NodeJS.ProcessEnv): string[] {
  const names = VARIABLES.flatMap((name) => [name, `${name}_FILE`]);
  const known = new Set(names);
  return Object.entries(given).flatMap(([name, value = '']) => {
    if (value === '' || known.has(name) || name.startsWith('OTEL_') || isInjected(name, value)) {
      return [];
    }
    if (REMOVED.has(name)) return [`${name} is not read any more`];
    const meant = names.find((one) => isOneLetterFrom(name, one));
    return meant === undefined ? [] : [`${name} is not read: did you mean ${meant}?`];
  });
}

/** Whether the names differ by one letter added, removed or replaced, or by two adjacent letters swapped. */
function isOneLetterFrom(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 1 || name === other) return false;
  const [short, long] = name.length < other.length ? [name, other] : [other, name];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const [rest, longRest] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return rest === longRest.slice(1);
  const changed = `${longRest[1] ?? ''}${longRest[0] ?? ''}${longRest.slice(2)}`;
  return rest.slice(1) === longRest.slice(1) || rest === changed;
}
