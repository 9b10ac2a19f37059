import { fail, type Finding } from '../finding.js';
import { describeCertificateError, describeNetworkError, errorDetails } from '../network-errors.js';

const REMEDIES: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
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
export function postgresProbeError(host: string, error: unknown): Finding {
  const { code, message } = errorDetails(error);
  const at = `PostgreSQL at ${host}`;
  const network = describeNetworkError(code);
  if (network !== undefined) {
    return fail(`${at} cannot be reached: ${network}`, 'correct the host and port in DATABASE_URL');
  }
  const [what, remedy] = REMEDIES[code] ?? [];
  if (what !== undefined && remedy !== undefined) return fail(`${at}: ${what}`, remedy);
  if (/unsupported startup parameter/i.test(message)) return poolerError(at);
  if (/does not support SSL/i.test(message)) {
    return fail(
      `${at} does not speak TLS`,
      'turn it on there, or take sslmode out of DATABASE_URL',
    );
  }
  const certificate = describeCertificateError(code);
  if (certificate !== undefined) {
    return fail(
      `the certificate of ${at} ${certificate}`,
      'name its authority with sslrootcert= in DATABASE_URL, or in NODE_EXTRA_CA_CERTS',
    );
  }
  if (/timeout/i.test(message)) {
    return fail(`${at} does not answer in time`, 'look at its load and at the network to it');
  }
  return fail(`${at} refuses: ${code || message}`, 'look at the log of PostgreSQL');
}

const poolerError = (at: string) =>
  fail(
    `${at} is a PgBouncer that refuses the options in DATABASE_URL`,
    'take them out and set them for the user (ALTER ROLE ... SET ...), or add to pgbouncer.ini: ignore_startup_parameters = options',
  );
