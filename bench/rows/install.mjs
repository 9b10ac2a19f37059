import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Packages that `npm ci --omit=dev` installs, as far as they are for this machine. */
function packages() {
  const { packages: locked } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'));
  const isShipped = ([path, { dev }]) => path !== '' && !dev && existsSync(`${ROOT}${path}`);
  return Object.entries(locked)
    .filter(isShipped)
    .map(([path]) => `${ROOT}${path}`);
}

/** Bytes on the disk, without the packages that are installed inside of it and have a line of their own. */
function bytesOf(folder) {
  const files = globSync('**/*', { cwd: folder, exclude: (name) => name === 'node_modules' });
  return files.reduce((sum, file) => sum + lstatSync(`${folder}/${file}`).blocks * 512, 0);
}

const measure = () => {
  const installed = packages().reduce((sum, folder) => sum + bytesOf(folder), 0) / 2 ** 20;
  return [{ installed: [installed] }];
};

export const row = {
  operation: 'install: what `npm ci --omit=dev` puts on the disk',
  measure,
  sides: [{ name: 'everywhere', goals: { installed: [150] } }],
};
