const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Of what clients are offered. */
export const isName = (name: string): boolean => NAME.test(name);

interface Named {
  readonly owner: string;
  readonly options: { readonly name: string; readonly scope: string };
}

/**
 * Why this cannot be offered to clients beside what already is, by its name and its scope; undefined when
 * it can.
 */
export function registrationProblem(
  { options: { name, scope } }: Named,
  kind: string,
  namesake: Pick<Named, 'owner'> | undefined,
  scopes: readonly string[],
): string | undefined {
  if (!isName(name)) return 'needs a name of 1 to 128 letters, digits, _, - or .';
  if (namesake) return `has the name of another ${kind}, ${namesake.owner}`;
  if (scopes.includes(scope)) return undefined;
  return `needs the scope "${scope}", which is not one of: ${scopes.join(', ')}`;
}
