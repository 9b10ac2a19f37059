import { stat } from 'node:fs/promises';
import { type Finding, ok, warn } from '../finding.js';

/** Of a folder: everything for everybody else, and writing for its group, who could put another file there. */
const OPEN_FOLDER = 0o027;
const OPEN_FILE = 0o077;

/** Whether other users of the machine get at the database. */
export async function folderRightsFinding(folder: string): Promise<Finding> {
  const { mode } = await stat(folder);
  if ((mode & OPEN_FOLDER) === 0) return ok(`${folder} is closed to other users`);
  return warn(
    `${folder} is open to other users of this machine (mode ${octal(mode)})`,
    `chmod 700 ${folder}; the service closes only folders that it makes itself`,
  );
}

export async function fileRightsFinding(path: string): Promise<Finding> {
  const { mode } = await stat(path);
  if ((mode & OPEN_FILE) === 0) return ok(`${path} is closed to other users`);
  return warn(
    `${path} is open to other users of this machine (mode ${octal(mode)})`,
    'start the service as its owner, which closes it, or chmod 600',
  );
}

const octal = (mode: number) => (mode & 0o777).toString(8);
