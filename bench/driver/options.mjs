// What the command line says.
import { parseArgs } from 'node:util';

const NUMBERS = { seconds: '5', rounds: '3', 'warm-up': '12' };

/** A run of fewer seconds a side is to show that rows work: with fewer people, and one server for many rows. */
const BRIEF = 2;

/**
 * `names` of rows, all of them when there are none; `accounts` for tabs; `stock` that a worker makes in advance where a
 * request uses something up; whether rows share servers of ours. Throws with a sentence when a value is
 * no number.
 */
export function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(NUMBERS).map(([name, value]) => [name, { type: 'string', default: value }]),
      ),
      ours: { type: 'boolean', default: false },
      unpinned: { type: 'boolean', default: false },
    },
  });
  const number = (name) => {
    const value = Number(values[name]);
    if (!(value >= 0)) throw new Error(`--${name} takes a number, not ${values[name]}`);
    return value;
  };
  const seconds = number('seconds');
  return {
    names: positionals,
    seconds,
    ...(seconds < BRIEF ? { accounts: 25, stock: 2 } : { accounts: 200, stock: 8 }),
    shares: seconds < BRIEF,
    rounds: number('rounds'),
    warmUp: number('warm-up'),
    ours: values.ours,
    pinned: !values.unpinned,
  };
}
