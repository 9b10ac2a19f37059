import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly specs: string | readonly string[];
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const lists = globSync('test/mutants/*.mutants.mjs', { cwd: ROOT });
const mutantsIn = async (list: string) =>
  ((await import(`${ROOT}${list}`)) as { mutants: Mutant[] }).mutants;

/** What follows a spec's path where its extension is left out. */
const ENDINGS = ['', '.ts', 'ts', '.spec.ts', '.e2e-spec.ts', '.browser-spec.ts'];

describe('mutants', () => {
  it.each(lists)('of %s fit their files, and their specs are there', async (list) => {
    const misfits = (await mutantsIn(list)).filter(({ file, find, specs }) => {
      const isThere = [specs]
        .flat()
        .every((spec) => ENDINGS.some((ending) => existsSync(`${ROOT}${spec}${ending}`)));
      return !isThere || readFileSync(`${ROOT}${file}`, 'utf8').split(find).length !== 2;
    });
    expect(misfits.map(({ name }) => name)).toEqual([]);
  });
});
