import { UnexpectedLibraryError } from './unexpected-library.error.js';

/**
 * Puts methods in the place of a prototype's own. Throws UnexpectedLibraryError when one of those is
 * missing or takes another number of parameters than what is to replace it.
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

/** Throws UnexpectedLibraryError unless there is such a method with so many parameters. */
export function expectMethod(prototype: object, name: string, parameters: number): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new UnexpectedLibraryError(`there is no ${name}()`);
  if (method.length === parameters) return;
  const counts = `${method.length} parameters instead of ${parameters}`;
  throw new UnexpectedLibraryError(`${name}() takes ${counts}`);
}
