// What the command line says.
import { parseArgs } from 'node:util';

const NUMBERS = { seconds: '5', rounds: '3', 'warm-up': '12' };

/** `names` of rows, all of them when there are none; throws with a sentence when a value is no number. */
export function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(NUMBERS).map(([name, value]) => [name, { type: 'string', default: value }]),
      ),
      ours: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const number = (name) => {
    const value = Number(values[name]);
    if (!(value >= 0)) throw new Error(`--${name} takes a number, not ${values[name]}`);
    return value;
  };
  return {
    names: positionals,
    seconds: number('seconds'),
    rounds: number('rounds'),
    warmUp: number('warm-up'),
    ours: values.ours,
    write: values.write,
  };
}
