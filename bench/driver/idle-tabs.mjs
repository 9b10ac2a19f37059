// What tabs take that are open and say nothing, and what it takes to open them.
import { setTimeout as pause } from 'node:timers/promises';
import { processorSeconds, residentKib } from './processor-time.mjs';
import { byFigure } from './rounds.mjs';
import { Tab } from './tab.mjs';

/** For what a server does on its own when tabs have come or gone. */
const SETTLE_MS = 1_500;
const AT_ONCE = 50;

/**
 * A row whose sides hold tabs. A side has `start(stores, options)`, to be given on to the server, and
 * `addresses(server, { accounts })`, as `Tab.open` takes them, for the tabs of that number of `accounts`.
 */
export const ofIdleTabs = ({ operation, sides }) => ({ operation, sides, measure });

async function measure(sides, { stores, options }) {
  const samples = sides.map(() => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [n, side] of sides.entries()) samples[n].push(await sample(side, stores, options));
  }
  return samples.map((ofSide) => byFigure(ofSide));
}

/** In a process of its own each time: memory that was used once is given to the next tabs. */
async function sample({ start, addresses }, stores, { accounts }) {
  const server = await start(stores, { obeys: true });
  try {
    const all = await addresses(server, { accounts: Math.ceil(accounts / 2) });
    await closeAll(await openAll(all.slice(0, AT_ONCE)));
    const before = await memory(server);
    const tabs = await openAll(all);
    const after = await memory(server);
    await closeAll(tabs);
    await pause(SETTLE_MS);
    const processorTime = meterOf(server);
    const again = await openAll(all);
    await pause(SETTLE_MS);
    const connect = processorTime();
    await closeAll(again);
    const each = (part) => (after[part] - before[part]) / all.length;
    return { heap: each('heap'), resident: each('resident'), connect: connect / all.length };
  } finally {
    await server.stop();
  }
}

/** In KiB. */
async function memory(server) {
  await pause(SETTLE_MS);
  const { heapUsed } = await server.order('memory');
  return { heap: heapUsed / 1_024, resident: residentKib(server.pids[0]) };
}

/** What tells the microseconds that were used since. */
function meterOf({ pids: [pid] }) {
  const before = processorSeconds(pid);
  return () => (processorSeconds(pid) - before) * 1_000_000;
}

async function openAll(addresses) {
  const tabs = [];
  while (tabs.length < addresses.length) {
    const next = addresses.slice(tabs.length, tabs.length + AT_ONCE);
    tabs.push(...(await Promise.all(next.map((address) => Tab.open(address)))));
  }
  return tabs;
}

const closeAll = (tabs) => Promise.all(tabs.map((tab) => tab.close()));
