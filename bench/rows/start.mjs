import { setTimeout as pause } from 'node:timers/promises';
import { serve, servicesStorage, sqliteStorage } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { Person } from '../driver/person.mjs';
import { residentKib } from '../driver/processor-time.mjs';
import { byFigure } from '../driver/rounds.mjs';

const IDLE_MS = 2_000;
const REQUESTS = 1_000;
const GOALS = { firstAnswer: [0.9], served: [150] };

async function me(server) {
  const [{ headers }] = await Person.signUp(server, 1);
  return { path: '/svc/auth/me', headers };
}

/** `storage` is there once and for all; the migrations have run when the first start is measured. */
const ours = (storage) => async (stores) => {
  const made = await storage(stores);
  const start = () => serve(made);
  await (await start()).stop();
  return { start, requestOf: me };
};

async function sample({ start, requestOf }) {
  const startedAt = performance.now();
  const server = await start();
  const firstAnswer = (performance.now() - startedAt) / 1_000;
  await pause(IDLE_MS);
  const idle = residentKib(server.pids[0]) / 1_024;
  const request = await requestOf(server);
  for (let n = 0; n < REQUESTS; n += 1) await server.ask(request);
  const served = residentKib(server.pids[0]) / 1_024;
  await server.stop();
  return { firstAnswer, idle, served };
}

const bareNest = () => ({ start: inMemory('nest'), requestOf: () => ({ path: '/' }) });

async function measure(sides, { stores, options }) {
  const starts = await Promise.all(sides.map(({ prepare }) => prepare(stores)));
  const samples = sides.map(() => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [n, start] of starts.entries()) samples[n].push(await sample(start));
  }
  return samples.map((ofSide) => byFigure(ofSide));
}

export const row = {
  operation:
    'start: from the command to the first answer; resident memory then, and after 1,000 requests',
  measure,
  sides: [
    { name: 'SQLite', prepare: ours(sqliteStorage), against: 'bare Nest', goals: GOALS },
    {
      name: 'Postgres + Redis',
      needsServices: true,
      prepare: ours(servicesStorage),
      against: 'bare Nest',
      goals: GOALS,
    },
    other({ name: 'bare Nest', prepare: bareNest }),
  ],
};
