// The built service under 60 % of what it can do, with tabs that come and go: whether memory, open files and the
// slowest answers stay where they are. The live heap is what garbage collection leaves; resident memory follows it
// late, and grows for some minutes after a start.
// npm run build && node bench/soak.mjs [minutes, 1 unless given]
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  accountRows,
  anyCall,
  closedLoop,
  openFiles,
  openLoop,
  percentile,
  residentMb,
  Service,
  tokenOf,
} from './service.mjs';
import { SqliteFile } from './sqlite-file.mjs';

const PORT = 3783;
const MINUTES = Number(process.argv[2] ?? 1);
const ACCOUNTS = 200;
const TABS = 400;
const SHARE = 0.6;
const PARTS = 6;
const COLLECT = "process.on('SIGUSR2', () => globalThis.gc())";

const file = new SqliteFile();
const service = await new Service(PORT, {
  DATABASE_URL: file.url,
  MANAGEMENT_PORT: String(PORT + 1),
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(COLLECT)}`,
}).ready();
const { pid } = service.process;
await file.insert(accountRows(ACCOUNTS, `http://localhost:${PORT}`));
const ask = () => service.ask(anyCall(ACCOUNTS));

async function liveHeapMb() {
  service.process.kill('SIGUSR2');
  await pause(1_000);
  const metrics = await (await fetch(`http://127.0.0.1:${PORT + 1}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)[1]) / 2 ** 20;
}

async function openTab() {
  const account = Math.floor(Math.random() * ACCOUNTS);
  const headers = { host: service.host, cookie: `session=${tokenOf('s', account)}` };
  const url = `ws://127.0.0.1:${PORT}/svc/me/tabs`;
  const tab = new WebSocket(url, { headers, perMessageDeflate: false });
  tab.on('error', () => undefined);
  await Promise.race([once(tab, 'message'), once(tab, 'close')]);
  return tab;
}

const tabs = [];
while (tabs.length < TABS) tabs.push(await openTab());
const over = new AbortController();
let comings = 0;
async function churn() {
  while (!over.signal.aborted) {
    const n = Math.floor(Math.random() * TABS);
    tabs[n].close();
    tabs[n] = await openTab();
    comings += 1;
    await pause(20);
  }
}

await closedLoop(ask, { atOnce: 16, seconds: 5 });
const churning = churn();
const ceiling = await closedLoop(ask, { atOnce: 16, seconds: 5 });
const rate = ceiling * SHARE;
console.log(`ceiling ${Math.round(ceiling)}/s with ${TABS} tabs; load ${Math.round(rate)}/s`);
const seconds = Math.max(1, Math.round((MINUTES * 60) / PARTS));
const parts = [];
for (let part = 1; part <= PARTS; part += 1) {
  const brought = await openLoop(ask, { rate, seconds });
  const times = brought.flatMap((second) => second.times);
  const failed = brought
    .flatMap(({ statuses }) => Object.keys(statuses))
    .filter((s) => s !== '200');
  parts.push({
    heap: await liveHeapMb(),
    mb: residentMb(pid),
    files: openFiles(pid),
    p99: percentile(times, 0.99),
  });
  const { heap, mb, files, p99 } = parts.at(-1);
  console.log(
    `part ${part} of ${PARTS}: live heap ${heap.toFixed(1)} MiB, resident ${mb.toFixed(0)} MiB, ${files} open files, ` +
      `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms` +
      (failed.length > 0 ? `, also ${[...new Set(failed)]}` : ''),
  );
}
over.abort();
await churning;
const [first, last] = [parts[Math.floor(PARTS / 3)], parts.at(-1)];
const minutes = (seconds * (PARTS - 1 - Math.floor(PARTS / 3))) / 60;
console.log(
  `${comings} tabs came and went; after the first third: ` +
    `live heap ${((last.heap - first.heap) / minutes).toFixed(1)} and resident ` +
    `${((last.mb - first.mb) / minutes).toFixed(1)} MiB a minute, ` +
    `${last.files - first.files} open files, p99 x ${(last.p99 / first.p99).toFixed(2)}`,
);
for (const tab of tabs) tab.terminate();
await service.stop();
file.remove();
