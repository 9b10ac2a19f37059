// What a request costs, ours beside others: npm run bench [-- NAME…] [--seconds N]. bench/README.md says more.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { divideCores } from './driver/cores.mjs';
import { readOptions } from './driver/options.mjs';
import { requireBuild } from './driver/ours.mjs';
import { missingPeers } from './driver/peers.mjs';
import { detail, summary } from './driver/report.mjs';
import { writeResults } from './driver/results.mjs';
import { Stores } from './driver/stores.mjs';

const say = (text) => process.stdout.write(`${text}\n`);

/** By name; throws with the names that there are when one is wrong. */
async function rowsNamed(wanted) {
  const files = globSync('rows/*.mjs', { cwd: import.meta.dirname });
  const all = files.map((file) => basename(file, '.mjs')).toSorted();
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`no row ${unknown}; there are ${all.join(', ')}`);
  const names = wanted.length > 0 ? wanted : all;
  const load = async (name) => ({ name, ...(await import(`./rows/${name}.mjs`)).row });
  return Promise.all(names.map(load));
}

/** Which sides take part; says why others do not. */
function admission({ ours }) {
  const others = ours ? 'only ours were asked for' : missingPeers();
  const services = Stores.missing();
  if (others) say(`Left out the other sides: ${others}`);
  if (services) say(`Left out Postgres and Redis: ${services}`);
  const isLeftOut = ({ isOther, needsServices }) =>
    (isOther && others) || (needsServices && services);
  return { isComplete: !others && !services, isLeftOut };
}

/** The row with figures in its sides; undefined, and a failed program in the end, when an answer was wrong. */
async function measured(row, isLeftOut, bench) {
  const sides = row.sides.filter((side) => !isLeftOut(side));
  try {
    const figures = await row.measure(sides, bench);
    for (const [n, side] of sides.entries()) side.figures = figures[n];
    return { ...row, sides };
  } catch (error) {
    say(`\n${row.name} failed: ${error.stack}`);
    process.exitCode = 1;
    return undefined;
  }
}

process.setMaxListeners(0);
const options = readOptions(process.argv.slice(2));
requireBuild();
const rows = await rowsNamed(options.names);
const { isComplete, isLeftOut } = admission(options);
if (options.pinned) divideCores();
const stores = new Stores();
const results = [];
for (const row of rows) {
  const result = await measured(row, isLeftOut, { stores, options });
  if (result === undefined) continue;
  results.push(result);
  say(`\n${detail(result)}`);
}
await stores.stop();
say(`\n${summary(results)}`);

const isThorough =
  options.pinned && options.rounds >= 3 && options.warmUp >= 12 && options.names.length === 0;
if (isComplete && isThorough && results.length === rows.length) {
  await writeResults(results, options);
}
// Servers that are shared, or that a failed row left behind, end with this process.
process.exit();
