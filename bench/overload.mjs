// The built service asked for three times what it can do: how much of that it still does, and how soon it is well again.
// npm run build && node bench/overload.mjs
import { accountRows, anyCall, closedLoop, openLoop, percentile, Service } from './service.mjs';
import { SqliteFile } from './sqlite-file.mjs';

const PORT = 3785;
const ACCOUNTS = 200;
const TIMES = 3;
const SECONDS = 10;
/** Callers give up beyond that: those of a balancer with a full queue. */
const MOST_UNDER_WAY = 2_000;

const file = new SqliteFile();
const service = await new Service(PORT, { DATABASE_URL: file.url }).ready();
await file.insert(accountRows(ACCOUNTS, `http://localhost:${PORT}`));
const ask = () => service.ask(anyCall(ACCOUNTS));

const rates = [];
for (let round = 0; round < 3; round += 1) {
  rates.push(await closedLoop(ask, { atOnce: 32, seconds: 5 }));
}
const ceiling = rates.reduce((most, rate) => Math.max(most, rate));
const calm = await openLoop(ask, { rate: ceiling / 2, seconds: 5 });
const calmP99 = percentile(
  calm.flatMap(({ times }) => times),
  0.99,
);
console.log(`ceiling ${Math.round(ceiling)}/s; at half of it p99 ${calmP99.toFixed(1)} ms`);

const rate = ceiling * TIMES;
const stormed = await openLoop(ask, { rate, seconds: SECONDS, mostUnderWay: MOST_UNDER_WAY });
const overAt = performance.now();
const total = {};
for (const { statuses } of stormed) {
  for (const [status, n] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + n;
}
const goodput = (total[200] ?? 0) / SECONDS;
const times = stormed.flatMap((second) => second.times);
console.log(`${TIMES} x the ceiling for ${SECONDS} s: ${JSON.stringify(total)}`);
console.log(
  `goodput x ${(goodput / ceiling).toFixed(2)} of the ceiling, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
);

const after = await openLoop(ask, { rate: ceiling / 2, seconds: 8 });
const well = after.findIndex((second) => percentile(second.times, 0.99) < 2 * calmP99);
const since = (performance.now() - overAt) / 1_000 - after.length;
console.log(
  well < 0
    ? 'not well again within 8 s'
    : `well again (p99 under twice the calm one) within ${(since + well + 1).toFixed(0)} s`,
);
await service.stop();
file.remove();
