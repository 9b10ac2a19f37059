import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '#libs/json';
import type { Extension } from '../app.module-definition.js';
import { ExtensionError } from '../extension.error.js';

/**
 * The exports `extension` of modules, by their paths from the working directory.
 * @throws ExtensionError for a module that is not there, or has no such export
 */
export const extensionsIn = (files: readonly string[]): Promise<Extension[]> =>
  Promise.all(files.map(extensionIn));

async function extensionIn(file: string): Promise<Extension> {
  const { href } = pathToFileURL(resolve(file));
  const exported = (await import(href).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ExtensionError(`--extension ${file}: ${(error as Error).message}`);
  })) as { extension?: unknown };
  const { extension } = exported;
  if (isJsonObject(extension)) return extension;
  throw new ExtensionError(`--extension ${file} has no export named "extension"`);
}
