import { readServiceVersion } from './config/service-version.js';
import { ExtensionError } from './extension.error.js';

/** The first number of this package's version: what an extension says that it was written for. */
export const MAJOR_VERSION = 1;

/**
 * Types refuse an extension of another major version where it is compiled; this one was compiled before.
 * `name` is what people know the extension by. @throws ExtensionError
 */
export function expectWrittenForThis({ gatehouse }: { gatehouse?: unknown }, name: string): void {
  if (gatehouse === MAJOR_VERSION) return;
  const version = readServiceVersion();
  throw new ExtensionError(
    typeof gatehouse === 'number'
      ? `${name} was written for Gatehouse ${gatehouse}, and this is Gatehouse ${version}: take another version of one of them`
      : `${name} does not say which Gatehouse it was written for: where it is for this one, ${version}, it has gatehouse: ${MAJOR_VERSION}`,
  );
}
