import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../driver/figures.mjs';
import { onSqlite } from '../driver/ours.mjs';
import { Person } from '../driver/person.mjs';
import { byFigure } from '../driver/rounds.mjs';

const ROWS = 165_000;
const SWEEP_EVERY_MS = 600_000;
const READERS = 4;
const READ_EVERY_MS = 10;

/** As sessions that have expired long ago. */
const EXPIRED = `
  INSERT INTO sessions (token_hash, user_id, origin, created_at, last_seen_at, expires_at)
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
  SELECT printf('%043d', n), (SELECT min(id) FROM users), 'http://localhost', 0, 0, 1 FROM numbers`;
const ANY_LEFT = 'SELECT 1 FROM sessions WHERE expires_at < 2 LIMIT 1';

/** Milliseconds that answers took, as long as `isGoing`. */
async function timesOfMe(server, people, isGoing) {
  const times = [];
  const read = async ({ headers }) => {
    while (isGoing()) {
      const sentAt = performance.now();
      await server.ask({ path: '/svc/auth/me', headers });
      times.push(performance.now() - sentAt);
      await pause(READ_EVERY_MS);
    }
  };
  await Promise.all(people.map((person) => read(person)));
  return median(times);
}

const forSeconds = (seconds) => {
  const endsAt = performance.now() + seconds * 1_000;
  return () => performance.now() < endsAt;
};

async function sample(server, people, { seconds }) {
  const database = new DatabaseSync(server.databaseFile, { timeout: 10_000 });
  database.prepare(EXPIRED).run(Math.round(ROWS * Math.min(1, seconds / 5)));
  const calm = await timesOfMe(server, people, forSeconds(seconds));
  const { count } = await server.order('run', SWEEP_EVERY_MS);
  if (count === 0) throw new Error('nothing runs every ten minutes: is the sweeper gone?');
  const anyLeft = database.prepare(ANY_LEFT);
  const wait = await timesOfMe(server, people, () => anyLeft.get() !== undefined);
  database.close();
  return { wait, calm };
}

async function measure([{ start }], { stores, options }) {
  const server = await start(stores, { obeys: true });
  try {
    const people = await Person.signUp(server, READERS);
    await timesOfMe(server, people, forSeconds(options.warmUp));
    const samples = [];
    while (samples.length < options.rounds) samples.push(await sample(server, people, options));
    return [byFigure(samples)];
  } finally {
    await server.stop();
  }
}

export const row = {
  operation: '`me` during a sweep: the middle answer while expired sessions are removed, and else',
  measure,
  sides: [{ name: 'SQLite', start: onSqlite, goals: { wait: [3] } }],
};
