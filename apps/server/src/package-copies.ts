import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExtensionError } from './extension-fit.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Classes are the injection tokens of Nest and the entities of TypeORM, so a process has one copy of each, and of
 * Gatehouse. `name` is how messages call `file`.
 * @throws ExtensionError where `file` imports another copy, with both places of the first package
 */
export function expectSameCopies(file: string, name: string): void {
  const here = import.meta.url;
  const there = pathToFileURL(resolve(file)).href;
  const ours = findPackageJSON('..', here) ?? '';
  const { name: self, peerDependencies, peerDependenciesMeta } = read(ours);
  for (const peer of [self, ...Object.keys(peerDependencies)]) {
    if (peerDependenciesMeta[peer]?.optional === true) continue;
    const one = peer === self ? ours : find(peer, here);
    const other = find(peer, there);
    if (one === undefined || other === undefined) continue;
    if (realpathSync(one) === realpathSync(other)) continue;
    throw new ExtensionError(
      `${name} imports ${peer} from ${placeOf(other)}, and Gatehouse from ${placeOf(one)}: there may be one of it; npm dedupe, or a range that fits both, leaves one`,
    );
  }
}

/** Where a package is that a module imports by this name; undefined where it cannot. */
function find(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

const placeOf = (manifest: string) => `${dirname(manifest)} (${read(manifest).version})`;

const read = (manifest: string) => JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
