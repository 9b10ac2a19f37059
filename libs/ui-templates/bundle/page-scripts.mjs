// `#page-scripts` where sources run, as in specs: bundled in memory, so never stale. The build has
// the outcome of this module in its place (write-page-scripts.mjs), so that nothing is bundled there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The first that have everything in the page scripts; `AbortSignal.timeout` came last. */
const BROWSERS = ['chrome103', 'firefox100', 'safari16'];

const pathOf = (script) =>
  fileURLToPath(new URL(`../src/page-script/${script}.ts`, import.meta.url));

function build(script, options) {
  const { outputFiles } = buildSync({
    entryPoints: [pathOf(`${script}.entry`)],
    bundle: true,
    target: BROWSERS,
    conditions: ['source'],
    minify: true,
    charset: 'ascii',
    write: false,
    ...options,
  });
  return outputFiles[0].text.trim();
}

/** For a page of ours: the entry finds its texts in a parameter around it. */
const bundle = (script) =>
  build(script, { format: 'iife', banner: { js: '(texts=>{' }, footer: { js: '})' } });

export const signIn = bundle('sign-in');
export const consent = bundle('consent');
export const account = bundle('account/account');
export const recover = bundle('account/recover');
export const pageClient = build('client/client', { format: 'esm' });
export const pageClientTypes = readFileSync(pathOf('client/client-api'), 'utf8');
