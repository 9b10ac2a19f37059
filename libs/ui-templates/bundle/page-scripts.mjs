// `#page-scripts` where sources run, as in specs: bundled in memory, so never stale. A build contains the exports of
// this module as constants instead (write-page-scripts.mjs).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The first versions that support everything in the page scripts; `AbortSignal.timeout` came last. */
const BROWSERS = ['chrome103', 'firefox100', 'safari16'];

const folder = fileURLToPath(new URL('../src/page-script/', import.meta.url));

function build(contents, options) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    target: BROWSERS,
    minify: true,
    charset: 'ascii',
    write: false,
    ...options,
  });
  return outputFiles[0].text.trim();
}

/** For a page of the service: a function of the page's texts that calls `start` of the file with them. */
const bundle = (file, start) =>
  build(`import { ${start} } from './${file}'; ${start}(texts);`, {
    format: 'iife',
    banner: { js: '(texts=>{"use strict";' },
    footer: { js: '})' },
  });

export const signIn = bundle('sign-in.ts', 'startSignIn');
export const consent = bundle('consent.ts', 'startConsent');
export const request = bundle('request.ts', 'startRequest');
export const app = bundle('app.ts', 'startApp');
export const account = bundle('account/start-account.ts', 'startAccount');
export const recover = bundle('account/recover.ts', 'startRecover');
export const localTimes = bundle('local-times.ts', 'showLocalTimes');
export const pageClient = build(`export * from './client/client.ts';`, { format: 'esm' });
/** It shares the hub with a page that imports the client, too. */
export const pageBridge = "import { bridgeTools } from './client.js';\nvoid bridgeTools();\n";
export const pageClientTypes = readFileSync(`${folder}client/client-api.ts`, 'utf8');
