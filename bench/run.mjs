// What a request costs, ours beside others: npm run bench [-- NAME…] [--seconds N]. bench/README.md says more.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { stepAside } from './driver/cores.mjs';
import { readOptions } from './driver/options.mjs';
import { requireBuild } from './driver/ours.mjs';
import { missingPeers } from './driver/peers.mjs';
import { detail, summary } from './driver/report.mjs';
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

/** Which sides cannot take part, and the reasons. */
function leavingOut(options) {
  const others = options.ours ? 'only ours were asked for' : missingPeers();
  const services = Stores.missing();
  if (others) say(`Left out the other sides: ${others}`);
  if (services) say(`Left out Postgres and Redis: ${services}`);
  return ({ isOther, needsServices }) => !(isOther && others) && !(needsServices && services);
}

const options = readOptions(process.argv.slice(2));
requireBuild();
const rows = await rowsNamed(options.names);
const takesPart = leavingOut(options);
stepAside();
const stores = new Stores();
const results = [];
try {
  for (const row of rows) {
    const sides = row.sides.filter(takesPart);
    const measured = await row.measure(sides, { stores, options });
    for (const [n, side] of sides.entries()) side.figures = measured[n];
    results.push({ ...row, sides });
    say(`\n${detail(results.at(-1))}`);
  }
} finally {
  await stores.stop();
}
say(`\n${summary(results)}`);
