import { userInfo } from 'node:os';

const MAX_LENGTH = 64;

/** The name of who runs this process, or its number where it has none, as in some containers. */
export function operatingSystemUser(): string {
  return findName().slice(0, MAX_LENGTH);
}

function findName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
