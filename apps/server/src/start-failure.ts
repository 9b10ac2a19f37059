import { inspect } from 'node:util';
import { NotMigratedError } from '#libs/platform';
import { BrandError, TextsError } from '#libs/ui-templates';
import { ConfigError } from './config/config.js';
import { DatabaseStartError } from './database-failure.js';
import { ExtensionError, offeredBy } from './extension-fit.js';
import { PathTakenError } from './http/routes.js';

const FOR_OPERATORS = [
  BrandError,
  ConfigError,
  DatabaseStartError,
  ExtensionError,
  NotMigratedError,
  PathTakenError,
  TextsError,
];

/** The message for a failed start: one line a problem. */
export function describeStartFailure(error: unknown): string {
  if (FOR_OPERATORS.some((type) => error instanceof type)) return `${(error as Error).message}\n`;
  const { code, syscall, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `${message}: set PORT, MANAGEMENT_PORT or DEVTOOLS_PORT to a free port, and HOST or MANAGEMENT_HOST to an address of this machine\n`;
  }
  const said =
    error instanceof Error && code !== undefined ? `${message} (${code})` : inOneLine(error);
  return `Gatehouse could not start: ${missingIn(error) ?? failing(error) + said}\n`;
}

function failing(error: unknown): string {
  const [, unmade, hook] = (error instanceof Error && FAILED.exec(error.stack ?? '')) || [];
  if (unmade !== undefined) return `${unmade} cannot be constructed: `;
  return hook === undefined ? '' : `${hook} failed: `;
}

/** Matches the class that Nest was making an instance of, or the hook of one. Of a factory the place says more. */
const FAILED =
  /^\s+at (?:new (\S+) \(.+\n\s+at Injector\.instantiateClass|(?:async )?(\w+\.on(?:ModuleInit|ApplicationBootstrap))) \(/m;

/** As Nest has it, of a class that is given something that its module does not import. */
interface MissingDependency extends Error {
  readonly context?: { readonly name?: unknown };
}

/** The first sentence of what Nest says, and which import is missing. */
function missingIn(error: unknown): string | undefined {
  const { message, context } = (error ?? {}) as MissingDependency;
  if (context?.name === undefined) return undefined;
  const [said = ''] = message.split('\n');
  const module = offeredBy(context.name);
  return module === undefined ? said : `${said} Import builtIn.${module}, which offers it.`;
}

/** Matches the first location in a stack that is no package's, before the asynchronous frames of the importing code. */
const PLACE =
  /^(?:\s+at (?!async )(?:[^(/]+\()?)?((?:file:\/\/)?\/(?!\S*\/node_modules\/)\S+?:\d+)/m;

/** Name, message and place of an error. */
export function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error);
  const what = `${error.name}: ${error.message.replaceAll(/\s+/g, ' ')}`;
  const place = PLACE.exec(error.stack ?? '')?.[1];
  return place === undefined ? what : `${what} (${place})`;
}
