import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [member: string]: unknown;
}

interface Generator {
  readonly name: string;
  readonly behavior?: 'merge';
  readonly literals: readonly string[];
}

interface Patch {
  readonly target: { readonly kind: string; readonly name: string };
  /** RFC 6902, as YAML. */
  readonly patch: string;
}

/** The part of the format that our kustomizations use. */
interface Kustomization {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly resources: readonly string[];
  readonly images?: readonly { name: string; newName: string; newTag: string }[];
  readonly configMapGenerator?: readonly Generator[];
  readonly secretGenerator?: readonly Generator[];
  readonly patches?: readonly Patch[];
}

const KNOWN = new Set<keyof Kustomization>([
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'images',
  'configMapGenerator',
  'secretGenerator',
  'patches',
]);

const readYaml = (path: string): unknown => parse(readFileSync(path, 'utf8'));

/**
 * The result of `kubectl kustomize` for a folder, without the hashes behind generated names. @throws for a missing
 * file or target of a patch, and for members that `Kustomization` does not have
 */
export function build(folder: string): Manifest[] {
  const kustomization = readYaml(join(folder, 'kustomization.yml')) as Kustomization;
  const beyond = Object.keys(kustomization).filter((key) => !KNOWN.has(key as keyof Kustomization));
  if (beyond.length > 0) throw new Error(`${folder} has ${beyond.join()}`);
  const { resources, configMapGenerator = [], secretGenerator = [] } = kustomization;
  const manifests = resources.flatMap((resource) => read(join(folder, resource)));
  for (const generator of configMapGenerator) generate(manifests, 'ConfigMap', 'data', generator);
  for (const generator of secretGenerator) generate(manifests, 'Secret', 'stringData', generator);
  for (const patch of kustomization.patches ?? []) apply(manifests, patch);
  return manifests.map((manifest) => placed(manifest, kustomization));
}

/** The only manifest of that kind and name. @throws where there is none, or several */
export function only<T = Manifest>(manifests: readonly Manifest[], kind: string, name: string): T {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name);
  if (found.length !== 1) throw new Error(`${found.length} of ${kind} ${name}`);
  return found[0] as T;
}

function read(path: string): Manifest[] {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  return statSync(path).isDirectory() ? build(path) : [readYaml(path) as Manifest];
}

function generate(manifests: Manifest[], kind: string, member: string, generator: Generator) {
  const { name, behavior, literals } = generator;
  const values = Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s, 2)));
  if (behavior === 'merge') {
    Object.assign(only(manifests, kind, name)[member] as object, values);
    return;
  }
  manifests.push({ apiVersion: 'v1', kind, metadata: { name }, [member]: values });
}

interface Operation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

function apply(manifests: readonly Manifest[], { target, patch }: Patch) {
  const manifest = only(manifests, target.kind, target.name);
  for (const { op, path, value } of parse(patch) as Operation[]) {
    const steps = path.split('/').slice(1);
    const last = steps.pop() ?? '';
    const parent = steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown>)[step],
      manifest,
    );
    if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) {
      throw new Error(`${path} of ${target.kind} ${target.name} is not there`);
    }
    if (op === 'replace' && !Object.hasOwn(parent, last)) throw new Error(`${path} is not there`);
    (parent as Record<string, unknown>)[last] = value;
  }
}

/** Sets the namespace and the image of this kustomization. */
function placed(manifest: Manifest, { namespace, images = [] }: Kustomization): Manifest {
  const text = images.reduce(
    (before, { name, newName, newTag }) =>
      before.replaceAll(`"image":"${name}"`, `"image":"${newName}:${newTag}"`),
    JSON.stringify(manifest),
  );
  const made = JSON.parse(text) as Manifest;
  if (namespace === undefined || manifest.kind === 'Namespace') return made;
  return { ...made, metadata: { ...made.metadata, namespace } };
}
