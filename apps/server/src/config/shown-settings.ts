import { type Environment, VARIABLES } from './environment.js';

/** A variable as operators see it: a secret is only said to be set. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly source: 'environment' | 'file' | 'default';
  /** The path of the file that was read in place of the variable. */
  readonly file?: string | undefined;
}

const SECRET = /_(?:TOKEN|SECRET)$/;

/** Every variable of ours, in the order of the reference; not those of others in this environment. */
export const shownSettings = (
  environment: Environment,
  given: NodeJS.ProcessEnv,
): readonly ShownSetting[] =>
  VARIABLES.map((name) => {
    const value: unknown = environment[name as keyof Environment];
    const file = given[`${name}_FILE`] || undefined;
    const source = file ? 'file' : given[name] ? 'environment' : 'default';
    return { name, value: shownValue(name, value), source, file };
  });

function shownValue(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (SECRET.test(name)) return 'set, not shown';
  // The path of a webhook is often its secret.
  if (name.endsWith('_WEBHOOK_URL')) return URL.parse(String(value))?.origin ?? '';
  return [value].flat().map(withoutCredentials).join(', ');
}

/** An address without user, password, and query, which may hold a password too. */
function withoutCredentials(value: unknown): string {
  const text = String(value);
  const [, scheme, rest = ''] = /^([a-z][a-z+]*:\/\/)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return text;
  const [address = ''] = rest.split(/[?#]/);
  return scheme + address.slice(address.lastIndexOf('@') + 1);
}
