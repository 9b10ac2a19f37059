import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExtensionError } from './extension.error.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Classes are the tokens of Nest and TypeORM, so there may be one copy of either, and of Gatehouse. Does
 * `file` import the peers that Gatehouse does? `name` is what people know the file by.
 * @throws ExtensionError with both places of the first package that is there twice
 */
export function expectOneOfEach(file: string, name: string): void {
  const ours = findPackageJSON('..', import.meta.url) ?? '';
  const { name: self, peerDependencies, peerDependenciesMeta } = read(ours);
  const peers = Object.keys(peerDependencies).filter(
    (peer) => peerDependenciesMeta[peer]?.optional !== true,
  );
  const from = pathToFileURL(resolve(file)).href;
  for (const peer of [self, ...peers]) {
    const here = peer === self ? ours : findManifest(peer, import.meta.url);
    const there = findManifest(peer, from);
    if (here === undefined || there === undefined) continue;
    if (realpathSync(here) === realpathSync(there)) continue;
    throw new ExtensionError(
      `${name} imports ${peer} from ${placeOf(there)}, and Gatehouse from ${placeOf(here)}: there may be one of it; npm dedupe, or a range that fits both, leaves one`,
    );
  }
}

/** Where a package is that a module imports by this name; undefined where it cannot. */
function findManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

const placeOf = (manifest: string) => `${dirname(manifest)} (${read(manifest).version})`;

const read = (manifest: string) => JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
