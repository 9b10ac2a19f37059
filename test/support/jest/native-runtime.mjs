import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const require = createRequire(import.meta.url);
const sourceMaps = new Map();
let resolver;
let transformer;
let imports = 0;

registerHooks({
  resolve(specifier, context, next) {
    const path = isSource(context.parentURL) && mapped(specifier, context.parentURL);
    return path ? { url: pathToFileURL(path).href, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!isSource(url)) return next(url, context);
    const path = fileURLToPath(url);
    const { code, sourceMapPath } = transformer.transform(path, ESM);
    sourceMaps.set(path, sourceMapPath).set(url, sourceMapPath);
    return { format: 'module', source: code, shortCircuit: true };
  },
});

const ESM = {
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

// On a busy machine Node takes seconds to free a large heap.
if (process.send) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));

const isSource = (url) => /\.ts(\?\d+)?$/.test(url);
/** What `moduleNameMapper` makes of it, or null. */
const mapped = (specifier, parent) =>
  resolver.resolveStubModuleName(fileURLToPath(parent), specifier);

/**
 * Loads modules as Node does, so that all spec files of a worker share one copy of Nest, TypeORM and the
 * service; jest's own runtime loads them again for each file, which takes most of the time of a spec.
 * What is lost with it is `jest.mock`, which nothing here uses.
 */
class NativeRuntime extends JestRuntime {
  constructor(...context) {
    super(...context);
    [, , resolver, transformer] = context;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** A spec file runs again in each project that has it, so each time it is a module of its own. */
  async unstable_importModule(path) {
    globalThis.jest = this.jestGlobals.jestObjectFor(path);
    imports += 1;
    return import(`${pathToFileURL(path)}?${imports}`);
  }

  /** jest-circus: a new copy for each file, since the module holds the file's tests. */
  requireInternalModule(path) {
    delete require.cache[path];
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (/^(JEST_STATE_SYMBOL|EVENT_HANDLERS)$/.test(key.description)) delete globalThis[key];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }
}

export { NativeRuntime as 'module.exports' };
