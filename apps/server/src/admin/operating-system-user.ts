import { userInfo } from 'node:os';

const MAX_LENGTH = 64;

/**
 * The name of the user that runs this process: SUDO_USER where sudo changed the user; the user's number where it has
 * no name, as in some containers.
 */
export function operatingSystemUser({ SUDO_USER }: NodeJS.ProcessEnv): string {
  return (SUDO_USER || findName()).slice(0, MAX_LENGTH);
}

function findName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
