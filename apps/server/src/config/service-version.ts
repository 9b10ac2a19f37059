import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of the package that contains this file. @throws Error where no package.json is found above it */
export function readServiceVersion(): string {
  const path = findPackageJSON('..', import.meta.url);
  if (path === undefined) throw new Error('there is no package.json above the service');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  return version;
}
