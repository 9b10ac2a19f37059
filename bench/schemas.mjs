// How long checks of a page's schemas take: made-up ones of up to 8 KiB, of patterns with modifiers, wide classes and
// counted repetitions, each from an account of its own, with honest checks between them. Prints how many are refused or
// ended, how long they and the honest ones take, how long the event loop was held up, and what an honest account
// waits while many new accounts send catastrophes at once.
// npm run build && node bench/schemas.mjs [schemas] [accounts]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SchemaChecks } from '../dist/libs/platform/src/index.js';

const SCHEMAS = Number(process.argv[2] ?? 1_000);
const ACCOUNTS = Number(process.argv[3] ?? 200);
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

const checks = new SchemaChecks();
const timed = async (work) => {
  const startedAt = performance.now();
  const answer = await work;
  return { answer, ms: performance.now() - startedAt };
};
const honest = { type: 'object', properties: { colour: { type: 'string', maxLength: 10 } } };
const askHonestly = () => timed(checks.mismatch('honest', honest, { colour: 'red' }));
const among = (all, share) => {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(1);
};
const told = (name, all) =>
  console.log(
    `${name}: p50 ${among(all, 0.5)} ms, p99 ${among(all, 0.99)} ms, max ${among(all, 1)} ms`,
  );

await askHonestly();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const strange = [];
const between = [];
const counts = { answered: 0, refused: 0, ended: 0 };
for (let n = 0; n < SCHEMAS; n += 1) {
  const made = schema();
  const of = `strange ${n}`;
  const offered = await timed(checks.faultAmong(of, [made]));
  const called = await timed(checks.mismatch(of, made, { a: TEXT }));
  strange.push(offered.ms, called.ms);
  for (const fault of [offered.answer.fault, called.answer]) {
    if (fault?.startsWith('checking them')) counts.ended += 1;
    else counts[fault?.startsWith('it ') ? 'refused' : 'answered'] += 1;
  }
  between.push((await askHonestly()).ms);
}
console.log(counts);
told('strange checks', strange);
told('honest checks between them', between);

const next = (at) => ({ $ref: `#/$defs/s${at}` });
const $defs = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`s${at}`, { allOf: [next(at + 1), next(at + 1)] }]),
);
const catastrophe = { type: 'object', $defs: { ...$defs, s60: {} }, ...next(0) };
for (const round of ['first', 'second', 'third']) {
  const all = Array.from({ length: ACCOUNTS }, (_, n) =>
    timed(checks.mismatch(`new ${n}`, { ...catastrophe, title: round }, {})),
  );
  const { ms, answer } = await askHonestly();
  console.log(
    `behind ${ACCOUNTS} accounts, ${round} time: ${ms.toFixed(0)} ms, ${answer ?? 'answered'}`,
  );
  const ends = await Promise.all(all);
  told(
    'their own',
    ends.map((each) => each.ms),
  );
}
console.log(`event loop held up at most ${(delay.max / 1e6).toFixed(1)} ms`);
console.log(`RSS ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
await checks.onModuleDestroy();
