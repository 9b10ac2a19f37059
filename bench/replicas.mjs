// One against two processes of the built service on one Postgres and one Redis of their own: requests a second, and
// requests per second of processor time, which other work on the machine moves little.
// Wants a core for each replica and two for the load and the storage: on fewer they take turns, and so the ratio says
// how much work there is to do, never how far it spreads.
// npm run build && node bench/replicas.mjs
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { startPostgresServer } from '../libs/platform/src/testbed/postgres-server.testbed.ts';
import { startRedisServer } from '../libs/platform/src/testbed/redis-server.testbed.ts';
import { accountRows, anyCall, closedLoop, cpuSeconds, Service } from './service.mjs';

const PORT = 3787;
const ORIGIN = `http://localhost:${PORT}`;
const ACCOUNTS = 200;
const ROUNDS = 3;
const SECONDS = 6;
const AT_ONCE = 16;

const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
const variables = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
const one = await new Service(PORT, variables, ORIGIN).ready();
const two = await new Service(PORT + 1, variables, ORIGIN).ready();

const client = new Client({ connectionString: postgres.url });
await client.connect();
for (const [table, rows] of Object.entries(accountRows(ACCOUNTS, ORIGIN))) {
  for (const row of rows) {
    const places = row.map((_, n) => `$${n + 1}`);
    await client.query(`INSERT INTO ${table} VALUES (${places})`, row);
  }
}
await client.end();

async function redisCpu() {
  const asking = new Redis(redis.url);
  const info = await asking.info('cpu');
  asking.disconnect();
  const read = (name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)[1]);
  return read('used_cpu_sys') + read('used_cpu_user');
}

async function measure(services) {
  let turn = 0;
  const ask = () => services[(turn += 1) % services.length].ask(anyCall(ACCOUNTS));
  const cpu = () => services.reduce((sum, { process: { pid } }) => sum + cpuSeconds(pid), 0);
  const [cpuBefore, redisBefore] = [cpu(), await redisCpu()];
  const rate = await closedLoop(ask, { atOnce: AT_ONCE * services.length, seconds: SECONDS });
  const used = cpu() - cpuBefore;
  const redisShare = ((await redisCpu()) - redisBefore) / SECONDS;
  return { rate, perCpuSecond: (rate * SECONDS) / used, cores: used / SECONDS, redisShare };
}

await measure([one, two]);
for (let round = 1; round <= ROUNDS; round += 1) {
  const single = await measure([one]);
  const pair = await measure([one, two]);
  const row = (name, { rate, perCpuSecond, cores, redisShare }) =>
    `${name} ${Math.round(rate)}/s on ${cores.toFixed(2)} cores, ` +
    `${Math.round(perCpuSecond)} per processor second, Redis ${(redisShare * 100).toFixed(0)} % of a core`;
  console.log(`round ${round}  ${row('one', single)}`);
  console.log(`round ${round}  ${row('two', pair)}`);
  console.log(
    `round ${round}  two against one: x ${(pair.rate / single.rate).toFixed(2)} requests, ` +
      `x ${(pair.perCpuSecond / single.perCpuSecond).toFixed(2)} per processor second`,
  );
}
await Promise.all([one.stop(), two.stop()]);
await Promise.all([postgres.stop(), redis.stop()]);
