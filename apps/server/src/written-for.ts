import { readServiceVersion } from './config/service-version.js';
import { ExtensionError } from './extension.error.js';

/** The major version of this package, which an extension has to name. */
export const MAJOR_VERSION = 1;

/**
 * Refuses an extension that was written for another major version. The compiler does so too, but an extension
 * may have been compiled before an upgrade. `name` is what people know it by. @throws ExtensionError
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
