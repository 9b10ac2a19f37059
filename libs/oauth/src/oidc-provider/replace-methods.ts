import { UnexpectedLibraryError } from './unexpected-library.error.js';

/**
 * Replaces methods of a prototype. Throws UnexpectedLibraryError when one of them is missing or takes
 * another number of parameters than its replacement.
 */
export function replaceMethods<T extends object>(
  prototype: T,
  replacements: Partial<T> & ThisType<T>,
): void {
  for (const [name, replacement] of Object.entries(replacements)) {
    expectMethod(prototype, name, (replacement as () => unknown).length);
  }
  Object.assign(prototype, replacements);
}

/** Throws UnexpectedLibraryError unless the method exists with this number of parameters. */
export function expectMethod(prototype: object, name: string, parameters: number): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new UnexpectedLibraryError(`there is no ${name}()`);
  if (method.length === parameters) return;
  const counts = `${method.length} parameters instead of ${parameters}`;
  throw new UnexpectedLibraryError(`${name}() takes ${counts}`);
}
