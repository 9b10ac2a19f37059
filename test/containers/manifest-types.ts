import ts from 'typescript';
import { fileURLToPath } from 'node:url';
import type { Manifest } from './kustomization.js';

/** A file that exists only in memory. */
const FILE = fileURLToPath(new URL('manifests.ts', import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

/** `apps/v1` for `apps/v1`, `core/v1` for `v1`, `networking/v1` for `networking.k8s.io/v1`. */
const moduleOf = (apiVersion: string) => {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  return `kubernetes-types/${group.split('.')[0]}/${version}`;
};

/**
 * The type errors of these manifests against the types of Kubernetes: unknown or missing members, or values of
 * another type. Formats, such as that of a quantity, are not checked.
 */
export function typeErrors(manifests: readonly Manifest[]): string[] {
  const source = manifests.map(
    (manifest, index) => `
      import type { ${manifest.kind} as Kind${index} } from '${moduleOf(manifest.apiVersion)}';
      export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`,
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.getSourceFile = (path, version) =>
    path === FILE
      ? ts.createSourceFile(path, source.join('\n'), version)
      : getSourceFile.call(host, path, version);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
