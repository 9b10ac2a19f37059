/**
 * All texts in a JSON value, one string, number or literal per line, names of members included: what a reader of
 * the value sees, without the escapes of JSON, which could hide words.
 */
export function textIn(value: unknown): string {
  const found: string[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) {
      found.push(String(next));
      continue;
    }
    const members = Array.isArray(next) ? next : Object.entries(next).flat();
    for (let index = members.length - 1; index >= 0; index -= 1) rest.push(members[index]);
  }
  return found.join('\n');
}
