#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { requireNode } from './node-version.js';

requireNode();
// Node reads thousands of files at the start, and compiles none of those that the cache has. It is written where the
// code is, as far as the user may write there: in a folder that others write to, it could be replaced.
module.enableCompileCache(
  fileURLToPath(new URL('../../../../node_modules/.cache/gatehouse', import.meta.url)),
);
const { runGatehouse } = await import('./cli/gatehouse.js');
await runGatehouse(process.argv.slice(2));
