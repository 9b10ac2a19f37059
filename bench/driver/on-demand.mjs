// Imported into a server that is measured: it then does two things whenever the driver asks, and answers.
const every = new Map();
const { setInterval: original } = globalThis;

/** Notes what is to be done how often; it is done then all the same. */
globalThis.setInterval = (work, ms, ...rest) => {
  every.set(ms, [...(every.get(ms) ?? []), () => work(...rest)]);
  return original(work, ms, ...rest);
};

const ORDERS = {
  /** Bytes as `process.memoryUsage()` has them, after a collection of garbage. */
  memory: () => {
    for (let n = 0; n < 3; n += 1) globalThis.gc();
    return process.memoryUsage();
  },
  /** Does at once what else is done at an interval. */
  run: (ms) => {
    for (const work of every.get(ms) ?? []) work();
    return { count: every.get(ms)?.length ?? 0 };
  },
};

process.on('message', ({ order, about }) => process.send(ORDERS[order](about)));
process.channel.unref();
