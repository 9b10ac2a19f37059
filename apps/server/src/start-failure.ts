import { NotMigratedError } from '#libs/platform';
import { BrandError, TextsError } from '#libs/ui-templates';
import { ConfigError } from './config/config.js';
import { DatabaseStartError } from './storage-problems.js';
import { ExtensionError } from './extension-fit.js';
import { PathTakenError } from './http/routes.js';
import { DEVTOOLS_HOST } from './observability/devtools/devtools-listener.service.js';

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Listeners {
  readonly listen: Address;
  readonly management?: Address | undefined;
  readonly devtoolsPort?: number | undefined;
}

/** Errors whose message says all that an operator needs. */
const FOR_OPERATORS = [
  BrandError,
  ConfigError,
  DatabaseStartError,
  ExtensionError,
  NotMigratedError,
  PathTakenError,
  TextsError,
];

/** The message for a failed start: one line a problem. `config` is given once it has been read. */
export function describeStartFailure(error: unknown, config?: Listeners): string {
  if (FOR_OPERATORS.some((type) => error instanceof type)) return `${(error as Error).message}\n`;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const problem = config && listenProblem(error as ListenError, config);
  if (problem !== undefined) return `${message}: ${problem}\n`;
  if (code !== undefined) return `Gatehouse could not start: ${message} (${code})\n`;
  return `Gatehouse could not start: ${stack ?? String(error)}\n`;
}

/** The error of a server that cannot listen: `hostname` where a look-up failed, else `address` and `port`. */
interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

const LISTEN_FAULTS: Readonly<Record<string, readonly [setting: 'PORT' | 'HOST', what: string]>> = {
  EADDRINUSE: ['PORT', 'another process listens there'],
  EACCES: ['PORT', 'this user may not listen there'],
  EADDRNOTAVAIL: ['HOST', 'this machine does not have that address'],
  ENOTFOUND: ['HOST', 'that host name is not known here'],
  EAI_AGAIN: ['HOST', 'that host name is not known here'],
};

/** Why a listener could not open, with the one variable that configured it; undefined for other errors. */
function listenProblem(error: ListenError, config: Listeners): string | undefined {
  const { listen, management, devtoolsPort } = config;
  const { code = '', port, address, hostname = address } = error;
  const [setting, what] = LISTEN_FAULTS[code] ?? [];
  const asked = [
    { prefix: '', ...listen },
    { prefix: 'MANAGEMENT_', port: management?.port, host: management?.host },
    { prefix: 'DEVTOOLS_', port: devtoolsPort, host: DEVTOOLS_HOST },
  ].filter((one) => (port === undefined ? one.host === hostname : one.port === port));
  const there = asked.filter(({ host }) => host === hostname);
  const [one, other] = there.length > 0 ? there : asked;
  if (setting === undefined || one === undefined) return undefined;
  if (other && setting === 'PORT')
    return `${one.prefix}PORT and ${other.prefix}PORT are the same; give each its own`;
  return `${what}; set another ${one.prefix}${setting}`;
}
