// The part of `npm run build` that writes `#page-scripts` as the built service imports it, and the module for
// pages as the package exports it.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as scripts from './page-scripts.mjs';

const folder = new URL('../../../dist/libs/ui-templates/bundle/', import.meta.url);
const lines = Object.entries(scripts).map(
  ([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`,
);

mkdirSync(folder, { recursive: true });
writeFileSync(new URL('client.js', folder), scripts.pageClient);
writeFileSync(new URL('client.d.ts', folder), scripts.pageClientTypes);
// Last: a build without it is not whole.
writeFileSync(new URL('page-scripts.mjs', folder), lines.join(''));
