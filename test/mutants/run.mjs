// Changes the sources, one mutation after the other, and expects the named specs to notice: `npm run
// mutants`, or `npm run mutants -- WORD` for those whose name or file has the word in it. A mutation
// that no spec notices, or that does not fit its file any more, fails the run. Specs are not
// type-checked, so neither are mutations: one has to be valid TypeScript by itself.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const root = new URL('../../', import.meta.url);

const lists = globSync('*.mutants.mjs', { cwd: import.meta.dirname }).toSorted();
const modules = await Promise.all(lists.map((file) => import(`./${file}`)));
const word = process.argv[2] ?? '';
const mutants = modules
  .flatMap(({ mutants: listed }, at) =>
    listed.map((mutant) => ({ ...mutant, list: basename(lists[at], '.mutants.mjs') })),
  )
  .filter(({ name, file, list }) => [name, file, list].some((text) => text.includes(word)));

function mutate({ file, find, replace }) {
  const path = new URL(file, root);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) return undefined;
  const restore = () => writeFileSync(path, source);
  process.once('exit', restore);
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  return () => {
    process.off('exit', restore);
    restore();
  };
}

/** Whether its specs fail, as specs: not because something does not compile or nothing was found. */
function judge({ specs, project }) {
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', project, '--testPathPatterns'];
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [...flags, ...jest, ...[specs].flat(), '--bail', '--ci'],
    { cwd: root, encoding: 'utf8', timeout: 300_000, env: { ...process.env, MUTANT: '1' } },
  );
  const output = `${stdout}${stderr}`;
  const [, failed = '0'] = /^Tests:\s+(\d+) failed/m.exec(output) ?? [];
  if (status !== 0 && Number(failed) > 0) return { killed: true, output };
  return { killed: false, output };
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const survivors = [];
for (const mutant of mutants) {
  const restore = mutate(mutant);
  const { killed, output } = restore
    ? judge(mutant)
    : { killed: false, output: 'the text to replace is not in the file exactly once' };
  restore?.();
  console.log(`${killed ? 'noticed ' : 'SURVIVED'}  ${mutant.list}: ${mutant.name}`);
  if (!killed) survivors.push({ ...mutant, output });
}

for (const { name, file, output } of survivors) {
  console.log(`\n${name} (${file})\n${output.split('\n').slice(-40).join('\n')}`);
}
console.log(`\n${mutants.length - survivors.length} passed, ${survivors.length} failed`);
process.exit(survivors.length === 0 && mutants.length > 0 ? 0 : 1);
