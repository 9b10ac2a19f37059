import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** Path of the installed `redis-server`, if there is one. */
export const findRedisServer = () => findProgram('redis-server');

/** Path of the installed nginx; Debian installs it outside of most users' PATH. */
export const findNginx = () =>
  findProgram('nginx') ?? ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(isProgram);

/** Path of the installed PgBouncer, which Debian installs beside nginx. */
export const findPgBouncer = () =>
  findProgram('pgbouncer') ?? ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'].find(isProgram);

/** Path of an installed Chromium, if there is one. */
export const findChromium = () =>
  findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome');

/** The folder with `initdb` and `postgres`; Debian installs them outside of PATH. */
export const findPostgresFolder = () =>
  [...pathFolders(), ...debianPostgresFolders()].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
  );

/** Path of a program in PATH. */
export const findProgram = (name: string) =>
  pathFolders()
    .map((folder) => join(folder, name))
    .find(isProgram);

const pathFolders = () => (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

function debianPostgresFolders() {
  if (!existsSync(DEBIAN_POSTGRES)) return [];
  return readdirSync(DEBIAN_POSTGRES)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
