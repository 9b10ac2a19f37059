import { type DatabaseUrl, isDatabaseOutage, sentinelFailure } from '#libs/platform';

/** What is wrong with a storage, and what to do about it. */
interface Problem {
  readonly text: string;
  readonly remedy: string;
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the host does not answer',
};

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the intermediate certificates of its authority',
};

/** Code and message of an error; each is empty where the error has none. */
export function errorDetails(error: unknown): { readonly code: string; readonly message: string } {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return { code, message };
}

const problem = (text: string, remedy: string): Problem => ({ text, remedy });

const GIVE = 'give the file and its folder to the user that the service runs as';

/** By SQLite's result codes, and by those of the file system on which the folder or file is created. */
const SQLITE_FAULTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  SQLITE_NOTADB: ['is not an SQLite database', 'let DATABASE_URL name another file'],
  SQLITE_CORRUPT: ['is damaged', 'restore a back-up'],
  SQLITE_BUSY: ['is locked by another process', 'end that process, and start again'],
  SQLITE_READONLY: ['cannot be written', GIVE],
  SQLITE_CANTOPEN: ['cannot be opened', `let DATABASE_URL name a file, and ${GIVE}`],
  SQLITE_FULL: ['cannot grow: the disk is full', 'make room'],
  EACCES: ['cannot be opened by this user', GIVE],
  EPERM: ['cannot be opened by this user', GIVE],
  EROFS: ['is on a file system that cannot be written', 'let DATABASE_URL name a file elsewhere'],
  EISDIR: ['is a folder', 'let DATABASE_URL name a file'],
  ENOTDIR: ['is not in a folder', 'let DATABASE_URL name a file in a folder'],
  EEXIST: ['is not in a folder', 'let DATABASE_URL name a file in a folder'],
  ENOENT: ['is in a folder that cannot be made', 'let DATABASE_URL name a file in a folder'],
  ELOOP: ['leads round in a circle', 'let DATABASE_URL name a file'],
  ENAMETOOLONG: ['has too long a name', 'let DATABASE_URL name a file'],
  ENOSPC: ['cannot be made: the disk is full', 'make room'],
};

/** Explains why the service cannot use an SQLite file; undefined for errors that the file does not cause. */
export function sqliteProblem(path: string, error: unknown): Problem | undefined {
  const { code, message } = errorDetails(error);
  const fault = SQLITE_FAULTS[code] ?? SQLITE_FAULTS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
  if (fault) return problem(`${path} ${fault[0]}`, fault[1]);
  if (message.includes('cannot keep a write-ahead log')) {
    return problem(
      `SQLite cannot keep a write-ahead log beside ${path}`,
      'put the file on a local disk, or use PostgreSQL',
    );
  }
  if (!code.startsWith('SQLITE_IOERR')) return undefined;
  return problem(`${path} cannot be read or written (${code})`, 'look at the disk that it is on');
}

/** Why no connection to a server comes about; undefined for errors that neither network nor certificate caused. */
export function connectionProblem(
  at: string,
  code: string,
  [ofAddress, ofCertificate]: readonly [ofAddress: string, ofCertificate: string],
): Problem | undefined {
  const network = NETWORK[code];
  if (network !== undefined) return problem(`${at} cannot be reached: ${network}`, ofAddress);
  const certificate =
    CERTIFICATE[code] ??
    (/^(?:CERT_|UNABLE_TO_)/.test(code) ? `is not trusted (${code})` : undefined);
  return certificate === undefined
    ? undefined
    : problem(`the certificate of ${at} ${certificate}`, ofCertificate);
}

const POSTGRES_FAULTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  '28P01': ['the password is wrong', 'correct user and password in DATABASE_URL'],
  '28000': [
    'the server does not let this user in',
    'correct the user in DATABASE_URL, or the rules in pg_hba.conf; they may ask for TLS (?sslmode=verify-full)',
  ],
  '3D000': ['the database does not exist', 'create it, or correct its name in DATABASE_URL'],
  '53300': ['it has no connection left', 'raise max_connections, or end other clients'],
  '57P03': ['it is starting up or shutting down', 'try again shortly'],
  '42501': ['the user has not the right to do this', 'grant it the rights on database and schema'],
};

/** Explains why the doctor, and so the service, cannot use PostgreSQL at `host`. */
export function postgresProblem(host: string, error: unknown): Problem {
  const { code, message } = errorDetails(error);
  const at = `PostgreSQL at ${host}`;
  const unconnected = connectionProblem(at, code, [
    'correct the host and port in DATABASE_URL',
    'name its authority with sslrootcert= in DATABASE_URL, or in NODE_EXTRA_CA_CERTS',
  ]);
  if (unconnected) return unconnected;
  const [what, remedy] = POSTGRES_FAULTS[code] ?? [];
  if (what !== undefined && remedy !== undefined) return problem(`${at}: ${what}`, remedy);
  if (/unsupported startup parameter/i.test(message)) {
    return problem(
      `${at} is a PgBouncer that refuses the options in DATABASE_URL`,
      'take them out and set them for the user (ALTER ROLE ... SET ...), or add to pgbouncer.ini: ignore_startup_parameters = options',
    );
  }
  if (/does not support SSL/i.test(message)) {
    return problem(
      `${at} does not speak TLS`,
      'turn it on there, or take sslmode out of DATABASE_URL',
    );
  }
  if (/timeout/i.test(message)) {
    return problem(`${at} does not answer in time`, 'look at its load and at the network to it');
  }
  return problem(`${at} refuses: ${code || message}`, 'look at the log of PostgreSQL');
}

const CONSEQUENCE =
  'until then ceremonies answer 503, budgets are unknown and every replica counts visits by itself';

/**
 * Explains why the doctor, and so the service, cannot use Redis at `host`; `rights` are those that its user needs.
 */
export function redisProblem(host: string, error: unknown, rights: string): Problem {
  const { code, message } = errorDetails(error);
  const at = `Redis at ${host}`;
  const sentinel = sentinelFailure(message);
  if (sentinel !== undefined) {
    return problem(
      `${at}: ${sentinel}`,
      `start the Sentinels, or correct their addresses, password and the name in REDIS_URL; ${CONSEQUENCE}`,
    );
  }
  const unconnected = connectionProblem(at, code, [
    `start it, or correct REDIS_URL (rediss:// for one that speaks TLS); ${CONSEQUENCE}`,
    'name its authority in NODE_EXTRA_CA_CERTS',
  ]);
  if (unconnected) return unconnected;
  if (/^(?:NOAUTH|WRONGPASS|ERR (?:AUTH|invalid password))/.test(message)) {
    return problem(`${at}: user or password is wrong`, 'correct them in REDIS_URL');
  }
  if (message.startsWith('NOPERM')) {
    const remedy = `give it the rights: ACL SETUSER <user> ${rights}`;
    return problem(`${at}: the user may not do this: ${message}`, remedy);
  }
  if (message.startsWith('LOADING')) {
    return problem(`${at} is reading its data`, `wait until it has; ${CONSEQUENCE}`);
  }
  if (/timed out|ETIMEDOUT/.test(message)) {
    const remedy = `look at its load and the network; ${CONSEQUENCE}`;
    return problem(`${at} does not answer in time`, remedy);
  }
  return problem(`${at} refuses: ${code || message}`, 'look at the log of Redis');
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Explains in one line why the database cannot be used, where it is, and what to do. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError';

  constructor({ text, remedy }: Problem, cause: unknown) {
    super(`DATABASE_URL: ${text}: ${remedy}`, { cause });
  }
}

/** The result of `open`. @throws DatabaseStartError where the database, or the connection to it, is the cause */
export async function explained<T>(database: DatabaseUrl, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const found = problemOf(database, error);
    throw found ? new DatabaseStartError(found, error) : error;
  }
}

function problemOf(database: DatabaseUrl, error: unknown): Problem | undefined {
  if (database.type === 'sqlite') return sqliteProblem(database.path, error);
  const { code, message } = errorDetails(error);
  const isToBlame =
    isDatabaseOutage(error) || code === INSUFFICIENT_PRIVILEGE || /SSL|certificate/i.test(message);
  return isToBlame ? postgresProblem(new URL(database.url).host, error) : undefined;
}
