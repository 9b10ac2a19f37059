// How long checks of a page's schemas take: 3,000 made-up ones of up to 8 KiB, of patterns with modifiers, wide
// classes and counted repetitions. Prints how many are refused, and the slowest.
// npm run build && node bench/schemas.mjs
import { misfitIn, schemaFault } from '../dist/libs/json-schema/src/index.js';

const SCHEMAS = 3_000;
const MAX_LENGTH = 8 * 1024;
const ATOMS = [
  'a',
  'k',
  '.',
  '[^a]',
  '[a-zA-Z]',
  '[A-\u{1E942}]',
  '[\u{0}-\u{10FFFF}]',
  '[K-\u{212A}]',
  String.raw`\w`,
  String.raw`[\s\S]`,
  String.raw`\p{L}`,
  String.raw`[^\p{L}]`,
  '(?:a|b)',
  '(a)',
];
const MODIFIED = ['(?i:[A-\u{1E942}])', '(?-i:a)', '(?is:\u{212A})'];
const REPETITIONS = ['', '', '*', '+?', '{50}', '{1,30}', '{900}', '{0,999}'];
const TEXT = 'Kk\u{212A}a'.repeat(200);

/** Numbers below `limit`, the same ones in each run. */
let state = 1;
const below = (limit) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 16) % limit;
};
const one = (list) => list[below(list.length)];

function pattern(from) {
  const atoms = Array.from({ length: 1 + below(20) }, () => one(from) + one(REPETITIONS));
  return below(3) === 0 ? `(?:${atoms.join('')})${one(REPETITIONS)}` : atoms.join('');
}

function schema() {
  const from = below(4) === 0 ? [...ATOMS, ...MODIFIED] : ATOMS;
  const patterns = [];
  for (let length = 0; length < MAX_LENGTH - 400; length += patterns.at(-1).length + 20)
    patterns.push({ pattern: pattern(from) });
  return { type: 'object', properties: { a: { anyOf: patterns } } };
}

let refused = 0;
const checks = [];
for (let n = 0; n < SCHEMAS; n += 1) {
  const made = schema();
  const startedAt = performance.now();
  if (schemaFault(made) === undefined) misfitIn(made, { a: TEXT });
  else refused += 1;
  checks.push({ ms: performance.now() - startedAt, text: JSON.stringify(made).slice(0, 100) });
}
const slowest = checks.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
console.log(`${refused} of ${SCHEMAS} refused; the slowest:`);
for (const { ms, text } of slowest) console.log(`${ms.toFixed(1)} ms  ${text}`);
