import { NotMigratedError } from '#libs/platform';
import { BrandError, TextsError } from '#libs/ui-templates';
import { type Config, ConfigError } from './config/config.js';
import { DatabaseStartError } from './storage-problems.js';
import { ExtensionError } from './extension.error.js';
import { PathTakenError } from './http/taken-paths.module.js';

type Listeners = Pick<Config, 'listen' | 'management'>;

/** The message for a failed start: one line a problem. `config` is given once it has been read. */
export function describeStartFailure(error: unknown, config?: Listeners): string {
  if (error instanceof ConfigError) return `${error.problems.join('\n')}\n`;
  if (error instanceof ExtensionError || error instanceof NotMigratedError) {
    return `${error.message}\n`;
  }
  if (error instanceof PathTakenError) return `${error.message}\n`;
  if (error instanceof TextsError || error instanceof BrandError) return `${error.message}\n`;
  if (error instanceof DatabaseStartError) return `${error.message}\n`;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' && config) return `${message}: ${portTaken(error as Taken, config)}\n`;
  if (code !== undefined) return `Gatehouse could not start: ${message} (${code})\n`;
  return `Gatehouse could not start: ${stack ?? String(error)}\n`;
}

interface Taken {
  readonly port: number;
  readonly address: string;
}

/** The variable that configured the port which is already in use. */
function portTaken({ port, address }: Taken, { listen, management }: Listeners) {
  const asked = [
    { variable: 'PORT', ...listen },
    { variable: 'MANAGEMENT_PORT', port: management?.port, host: management?.host },
  ].filter((one) => one.port === port);
  const there = asked.filter(({ host }) => host === address);
  const [one, other] = there.length > 0 ? there : asked;
  if (other) return `${one?.variable} and ${other.variable} are the same; give each its own`;
  return `another process listens there; set another ${one?.variable}`;
}
