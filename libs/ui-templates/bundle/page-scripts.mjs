// `#page-scripts` where sources run, as in specs: bundled in memory, so never stale. The build has
// the outcome of this module in its place (write-page-scripts.mjs), so that nothing is bundled there.
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The first that have everything in the page scripts; `AbortSignal.timeout` came last. */
const BROWSERS = ['chrome103', 'firefox100', 'safari16'];

/** The entry of a script, as `<lib>/<name>`. */
function bundle(entry) {
  const [lib, name] = entry.split('/');
  const path = `../../${lib}/src/page-script/${name}.entry.ts`;
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    bundle: true,
    format: 'iife',
    target: BROWSERS,
    conditions: ['source'],
    minify: true,
    charset: 'utf8',
    // The entry finds its texts in a parameter around it.
    banner: { js: '(texts=>{' },
    footer: { js: '})' },
    write: false,
  });
  return outputFiles[0].text.trim();
}

export const signIn = bundle('ui-templates/sign-in');
export const consent = bundle('ui-templates/consent');
export const account = bundle('account-page/account');
export const recover = bundle('account-page/recover');
