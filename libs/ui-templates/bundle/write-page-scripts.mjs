// The part of `npm run build` that writes `#page-scripts` as the built service imports it.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as scripts from './page-scripts.mjs';

const folder = new URL('../../../dist/libs/ui-templates/bundle/', import.meta.url);
const lines = Object.entries(scripts).map(
  ([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`,
);

mkdirSync(folder, { recursive: true });
writeFileSync(new URL('page-scripts.mjs', folder), lines.join(''));
