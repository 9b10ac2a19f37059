// A process of `TabLoad`: opens its pairs, then does as it is told and answers each order with a message.
import { setTimeout as pause } from 'node:timers/promises';
import { Tab } from './tab.mjs';

/** How long the last messages may be on their way before they count as lost. */
const PATIENCE_MS = 30_000;

/** Messages on their way at once: whenever one arrives, the next tab says something. */
const AT_ONCE = 256;

const tabs = [];
const count = { sent: 0, received: 0 };
let isGoing = false;

function sayNext() {
  tabs[count.sent % tabs.length].say();
  count.sent += 1;
}

function heard() {
  count.received += 1;
  if (isGoing) sayNext();
}

async function open({ pairs }) {
  for (const pair of pairs) {
    const [one, other] = await Promise.all(pair.map((address) => Tab.open(address)));
    tabs.push(Object.assign(one, { partner: other.name, heard }));
    tabs.push(Object.assign(other, { partner: one.name, heard }));
  }
}

function start() {
  Object.assign(count, { sent: 0, received: 0 });
  isGoing = true;
  for (let n = 0; n < AT_ONCE; n += 1) sayNext();
}

/** No tab says anything any more; what is on its way arrives. */
async function stop() {
  isGoing = false;
  const endsAt = performance.now() + PATIENCE_MS;
  while (count.received < count.sent && performance.now() < endsAt) await pause(1);
  return count;
}

const close = () => Promise.all(tabs.map((tab) => tab.close()));

const ORDERS = { open, start, stop, close };

process.on('message', async ({ order, ...about }) => {
  const told = await ORDERS[order](about);
  process.send(told ?? {});
});
