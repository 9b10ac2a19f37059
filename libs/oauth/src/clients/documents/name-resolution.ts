import { lookup, Resolver } from 'node:dns/promises';

/** Per name server; two in sequence fit into the time limit of a fetch. */
const SERVER_TIMEOUT_MS = 1_500;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. May reject when the signal aborts. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly Address[]>;

/**
 * The addresses of a public name, empty when it has none. Uses DNS alone: no hosts file, no search
 * domains, and none of libuv's few threads, which a name server that never answers would block.
 * Tests set `servers` in place of the system's.
 */
export async function resolvePublicName(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] = [],
): Promise<readonly Address[]> {
  signal.throwIfAborted();
  // Never sent to DNS (RFC 6761 §6.3).
  if (LOCALHOST.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    return found.length > 0 ? found : noAddress([four, six]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The addresses of a name that the operator listed, which may be in the hosts file only. */
export const resolveListedName: Lookup = (hostname) => lookup(hostname, { all: true });

const addresses = (answer: PromiseSettledResult<string[]>, family: number): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** Throws the first failure other than ENODATA, which only means no addresses of one family. */
function noAddress(answers: readonly PromiseSettledResult<string[]>[]): [] {
  const reasons: unknown[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  const failure = reasons.find((reason) => (reason as NodeJS.ErrnoException).code !== 'ENODATA');
  if (failure !== undefined) throw failure;
  return [];
}
