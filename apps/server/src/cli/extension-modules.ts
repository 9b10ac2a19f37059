import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '#libs/platform';
import type { Extension } from '../app.module-definition.js';
import { expectFit, ExtensionError } from '../extension-fit.js';
import { inOneLine } from '../start-failure.js';

/** Loads the export `extension` of each module, by paths from the working directory. @throws ExtensionError */
export const extensionsIn = (files: readonly string[]): Promise<Extension[]> =>
  Promise.all(files.map(extensionIn));

async function extensionIn(file: string): Promise<Extension> {
  const name = `--extension ${file}`;
  if (!existsSync(file)) throw new ExtensionError(`${name}: there is no such file`);
  const path = realpathSync(resolve(file));
  const extension = await exportedBy(path).catch((error: unknown) => {
    throw new ExtensionError(`${name} cannot be loaded: ${inOneLine(error)}`);
  });
  if (!isJsonObject(extension)) {
    throw new ExtensionError(`${name} has no export named "extension"`);
  }
  expectFit(extension, name);
  return extension as unknown as Extension;
}

/** A CommonJS module has its exports in `default` where Node cannot detect their names. */
async function exportedBy(path: string): Promise<unknown> {
  const exported = (await import(pathToFileURL(path).href)) as Exported;
  return exported.extension ?? exported.default?.extension;
}

interface Exported {
  readonly extension?: unknown;
  readonly default?: { readonly extension?: unknown };
}
