import { BearerError } from './bearer.error.js';

/** A class or a method. */
type Holder = object;

const REQUIRED_SCOPES = Symbol('required scopes');

/** The scopes added to a class or a method, or to the class that it extends. */
export const requiredScopes = (holder: Holder): readonly string[] =>
  (Reflect.getMetadata(REQUIRED_SCOPES, holder) as readonly string[] | undefined) ?? [];

/** Adds a scope to the existing ones, so that no decorator overrides another. */
export const addRequiredScope = (holder: Holder, scope: string): void =>
  Reflect.defineMetadata(REQUIRED_SCOPES, [...requiredScopes(holder), scope], holder);

/**
 * Checks that all needed scopes are granted. `allScopes` are in the order in which clients see them.
 * @throws BearerError insufficient_scope with every scope the client would then need
 */
export function expectScopes(
  needed: Iterable<string>,
  granted: readonly string[],
  allScopes: readonly string[],
): void {
  const missing = [...new Set(needed)].filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  const scopes = allScopes.filter((scope) => granted.includes(scope) || missing.includes(scope));
  throw new BearerError('insufficient_scope', `this call needs ${missing.join(' ')}`, scopes);
}
