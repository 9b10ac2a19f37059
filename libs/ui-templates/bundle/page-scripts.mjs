// `#page-scripts` where sources run, as in specs: bundled in memory, so never stale. The build has
// the outcome of this module in its place (write-page-scripts.mjs), so that nothing is bundled there.
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The first that have everything in src/page-script; `AbortSignal.timeout` came last. */
const BROWSERS = ['chrome103', 'firefox100', 'safari16'];

function bundle(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`../src/page-script/${entry}`, import.meta.url))],
    bundle: true,
    format: 'iife',
    target: BROWSERS,
    minify: true,
    charset: 'utf8',
    // The entry finds its texts in a parameter around it.
    banner: { js: '(texts=>{' },
    footer: { js: '})' },
    write: false,
  });
  return outputFiles[0].text.trim();
}

export const signIn = bundle('sign-in.entry.ts');
export const consent = bundle('consent.entry.ts');
