import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCUMENT = fileURLToPath(new URL('../../docs/about/asvs-5.md', import.meta.url));
const COUNTS = /^\| ([123]) +\| (\d+) +\| (\d+) +\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm;
const ROW = /^\| ([\d., ]+?) +\| ([123]) +\| (in part|not met) +\| \S/gm;

const text = readFileSync(DOCUMENT, 'utf8');

/** How many requirements of a level have this state in the rows. */
const listed = (level: string, state: string) =>
  [...text.matchAll(ROW)]
    .filter(([, , ofLevel, ofState]) => ofLevel === level && ofState === state)
    .flatMap(([, ids = '']) => ids.split(', ')).length;

describe('docs/about/asvs-5.md', () => {
  const counts = [...text.matchAll(COUNTS)].map(([, ...cells]) => cells);

  it('counts each of the 345 requirements', () => {
    const all = counts.flatMap(([, ...numbers]) => numbers.map(Number));
    expect(all).toHaveLength(15);
    expect(all.reduce((sum, count) => sum + count, 0)).toBe(345);
  });

  it('lists as many as it counts as met in part and as not met', () => {
    for (const [level = '', , inPart, notMet] of counts) {
      const numbers = [listed(level, 'in part'), listed(level, 'not met')];
      expect([level, ...numbers]).toEqual([level, Number(inPart), Number(notMet)]);
    }
  });
});
