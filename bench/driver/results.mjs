// Writes what a full run found to bench/RESULTS.md.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { machine } from './cores.mjs';
import { detail, summary } from './report.mjs';

const RESULTS = fileURLToPath(new URL('../RESULTS.md', import.meta.url));

export async function writeResults(results, options) {
  const where = `on ${today()}: ${machine()}; load average ${loadavg()[2].toFixed(1)}.`;
  const { rounds, seconds, warmUp } = options;
  const how = `${rounds} rounds of ${seconds} s a side, after ${warmUp} s of warm-up`;
  const parts = [
    '# Results',
    'What `npm run bench` wrote last; [README.md](README.md) says how it is measured.',
    `Measured ${where} ${how}.`,
    summary(results),
    ...results.map((row) => detail(row)),
  ];
  await write(RESULTS, parts.join('\n\n'));
}

const today = () => new Date().toISOString().slice(0, 10);

async function write(path, markdown) {
  const config = await resolveConfig(path);
  writeFileSync(path, await format(markdown, { ...config, filepath: path }));
}
