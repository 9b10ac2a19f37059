import { RefusalError } from '#libs/accounts';
import type { Field } from './fields.js';

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What is read by fields. */
export type Values<Given extends Fields> = {
  readonly [Name in keyof Given]: Given[Name] extends Field<infer Value> ? Value : never;
};

/** Reads what was sent. Throws RefusalError 400 for a value that a field does not take, and for any other name. */
export function readFields(fields: Fields, sent: ReadonlyMap<string, unknown>): object {
  const names = Object.keys(fields);
  if (![...sent.keys()].every((name) => names.includes(name))) {
    throw new RefusalError(400, `this takes ${names.join(', ') || 'nothing'}, and nothing else`);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, read(name, field, sent)]),
  );
}

function read(name: string, field: Field<unknown>, sent: ReadonlyMap<string, unknown>): unknown {
  if (!sent.has(name) && !field.isRequired) return field.fallback();
  const value = field.parse(sent.get(name));
  if (value === undefined) throw new RefusalError(400, `${name} takes ${field.takes}`);
  return value;
}
