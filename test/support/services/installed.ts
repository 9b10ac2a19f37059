import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** Path of the installed `redis-server`, if there is one. */
export const findRedisServer = () => findProgram('redis-server');

/** Path of the installed nginx; Debian keeps it where PATH of most accounts does not lead. */
export const findNginx = () =>
  findProgram('nginx') ?? ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(isProgram);

/** Path of the installed PgBouncer, which Debian keeps beside nginx. */
export const findPgBouncer = () =>
  findProgram('pgbouncer') ?? ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'].find(isProgram);

/** Path of an installed Chromium, if there is one. */
export const findChromium = () =>
  findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome');

/** Folder that holds `initdb` and `postgres`; Debian keeps them outside of PATH. */
export const findPostgresFolder = () =>
  [...pathFolders(), ...debianPostgresFolders()].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
  );

/** Path of a program that PATH leads to. */
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
