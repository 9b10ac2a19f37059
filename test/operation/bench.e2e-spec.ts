import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../support/built-file.js';
import { dyingWithParent } from '#libs/platform/testing';

const BENCH = fileURLToPath(new URL('../../bench/', import.meta.url));
const BRIEFLY = ['--rounds', '1', '--seconds', '0.5', '--warm-up', '0', '--unpinned'];

/** All rows, and some of them again, on a busy machine. */
const LONG_MS = 2_400_000;

const rows = readdirSync(`${BENCH}rows`).map((file) => file.replace('.mjs', ''));

/** The driver's output for some rows; figures of such a short run mean nothing. */
async function measure(names: readonly string[]) {
  const [command = '', ...args] = [...dyingWithParent(), process.execPath, `${BENCH}run.mjs`];
  const driver = spawn(command, [...args, ...names, ...BRIEFLY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(driver.stdout);
}

function missingIn(said: string) {
  const measured = new Set([...said.matchAll(/^## (.+)$/gm)].map(([, name]) => name));
  return rows.filter((name) => !measured.has(name));
}

describe('npm run bench', () => {
  it(
    'measures every row, and all answers are what they should be',
    async () => {
      expect(builtFile('main.js')).toBeTruthy();
      let said = await measure(rows);
      const [leftOut] = /^Left out the other sides: .+$/m.exec(said) ?? [];
      if (leftOut !== undefined) process.stderr.write(`${leftOut}\n`);
      // On a busy machine the service may shed load: runs those rows again.
      for (let again = 0; again < 3 && missingIn(said).length > 0; again += 1) {
        said += await measure(missingIn(said));
      }
      const missing = missingIn(said);
      const faults = missing.length > 0 ? said.match(/^.+ failed: .+$/gm) : null;
      expect({ missing, faults }).toEqual({ missing: [], faults: null });
    },
    LONG_MS,
  );
});
