// Warm-up, then the sides in turn, several rounds: what else happens on the machine happens to all of them.
import { startOrShare } from './ours.mjs';
import { processorSeconds } from './processor-time.mjs';
import { RequestLoad } from './request-load.mjs';

/**
 * A row whose sides do one thing over and over. A side has
 * - `name`, and `isOther` when it is not ours; else `against`, the name of the side that it is compared with, or
 *   `ratios`, by the names of several what the ratio should be, by figure;
 * - `start(stores)`: resolves with the server, or with what has `pids`, `storePids` and `stop()` like one;
 * - `prepare(server, options)`: resolves with the load, which has `run(endsAt)`: resolves with the count of what was done, and
 *   rejects when anything came out wrong. A function is a request, for `RequestLoad`;
 * - `goals`: by figure, what it should be and what would be better still, such as `{ server: [70, 37] }`.
 */
export const inTurn = ({ operation, sides }) => ({ operation, sides, measure: measureInTurn });

async function measureInTurn(sides, { stores, options }) {
  const started = await Promise.all(sides.map((side) => startSide(side, stores, options)));
  try {
    for (const { load } of started) await warmUp(load, options.warmUp / 2);
    await stores.analyze();
    for (const { load } of started) await warmUp(load, options.warmUp / 2);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const side of started) side.samples.push(await sample(side, options.seconds));
    }
    return started.map(({ samples }) => byFigure(samples));
  } finally {
    await Promise.all(started.map((side) => stopSide(side)));
  }
}

async function startSide({ start, prepare }, stores, options) {
  const server = await (options.shares ? startOrShare(start, stores) : start(stores));
  const prepared = await prepare(server, options);
  const isRequest = typeof prepared === 'function';
  const load = isRequest ? new RequestLoad(prepared, options.stock) : prepared;
  return { server, load, samples: [] };
}

async function stopSide({ server, load }) {
  await load.stop?.();
  await server.stop();
}

async function warmUp(load, seconds) {
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    await load.stockUp?.();
    await load.run(endsAt);
  }
}

/** One side for some seconds; those in which it stocks up do not count. */
export async function sample({ server, load }, seconds) {
  const total = { done: 0, seconds: 0, server: 0, stores: 0 };
  while (total.seconds < seconds) {
    await load.stockUp?.();
    const before = usage(server);
    total.done += await load.run(performance.now() + (seconds - total.seconds) * 1_000);
    const after = usage(server);
    for (const part of Object.keys(after)) total[part] += after[part] - before[part];
  }
  const each = (used) => (used / total.done) * 1_000_000;
  return {
    server: each(total.server),
    ...(server.storePids.length > 0 && { stores: each(total.stores) }),
    rate: total.done / total.seconds,
  };
}

const usage = ({ pids, storePids }) => ({
  seconds: performance.now() / 1_000,
  server: usedBy(pids),
  stores: usedBy(storePids),
});

const usedBy = (pids) => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);

/** From a list of samples to a list for each figure. */
export const byFigure = (samples) =>
  Object.fromEntries(
    Object.keys(samples[0]).map((figure) => [figure, samples.map((one) => one[figure])]),
  );
