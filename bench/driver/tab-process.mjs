// A process of `TabLoad`: opens its pairs, then does as it is told and answers each order with a message.
import { setTimeout as pause } from 'node:timers/promises';
import { Tab } from './tab.mjs';

/** How long the last messages may be on their way before they count as lost. */
const PATIENCE_MS = 30_000;

const tabs = [];

const sum = (part) => tabs.reduce((total, tab) => total + tab[part], 0);

async function open({ pairs }) {
  for (const pair of pairs) {
    const [one, other] = await Promise.all(pair.map((address) => Tab.open(address)));
    one.partner = other.name;
    other.partner = one.name;
    tabs.push(one, other);
  }
}

function start() {
  for (const tab of tabs) Object.assign(tab, { sent: 0, received: 0, answers: true });
  for (const tab of tabs) tab.say();
}

/** No tab answers any more; what is on its way arrives. */
async function stop() {
  for (const tab of tabs) tab.answers = false;
  const endsAt = performance.now() + PATIENCE_MS;
  while (sum('received') < sum('sent') && performance.now() < endsAt) await pause(1);
  return { sent: sum('sent'), received: sum('received') };
}

const close = () => Promise.all(tabs.map((tab) => tab.close()));

const ORDERS = { open, start, stop, close };

process.on('message', async ({ order, ...about }) => {
  const told = await ORDERS[order](about);
  process.send(told ?? {});
});
