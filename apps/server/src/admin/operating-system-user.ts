import { userInfo } from 'node:os';

const MAX_LENGTH = 64;

/**
 * The name of who runs this process, by SUDO_USER where they became another user for it; the number of a user
 * who has no name, as in some containers.
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
