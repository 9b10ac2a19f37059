import { createRequire } from 'node:module';
import { type TracingApi, hasTracerProvider } from './trace.js';

const API = /^(.+\/@opentelemetry\/api)\/build\/src\/index\.js$/;

/**
 * One line for the log where several copies of `@opentelemetry/api` are loaded and not all of them see the registered
 * provider; undefined otherwise. A copy sees only a provider that a copy of its major version, and of its minor version
 * or a later one, registered; it loses its spans without an error. The package is CommonJS, so Node's cache has each
 * copy.
 */
export function lostSpans(): string | undefined {
  const { cache } = createRequire(import.meta.url);
  const copies = Object.entries(cache).flatMap(([path, module]) => {
    const [, folder] = API.exec(path) ?? [];
    if (folder === undefined || !module) return [];
    const { VERSION } = (cache[`${folder}/build/src/version.js`]?.exports ?? {}) as Version;
    const sees = hasTracerProvider(module.exports as TracingApi);
    return [{ sees, name: `${VERSION} in ${folder}` }];
  });
  const namesWhere = (sees: boolean) =>
    copies.filter((copy) => copy.sees === sees).map(({ name }) => name);
  const [seeing, blind] = [namesWhere(true), namesWhere(false)];
  if (seeing.length === 0 || blind.length === 0) return undefined;
  const seen = `the registered tracer provider is seen by ${seeing.join(', ')} and not by ${blind.join(', ')}`;
  return `spans are lost: ${copies.length} copies of @opentelemetry/api are loaded, and ${seen}; install one version that all dependencies allow`;
}

interface Version {
  readonly VERSION?: string;
}
