import { isLoopbackHostname } from '#libs/accounts';
import { fail, type Finding, ok, warn } from '../finding.js';

/** What PostgreSQL reports about itself and about our connection. */
export interface PostgresServer {
  /** `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  readonly isStandby: boolean;
  /** Available to users that are not superusers. */
  readonly maxConnections: number;
  readonly statementTimeout: string;
  readonly isEncrypted: boolean | null;
  readonly mayCreate: boolean;
}

/** The oldest version that Gatehouse is tested with. */
const OLDEST_VERSION = 15;
const POOL_SIZE = 10;
/** Migrations use a connection in addition to the pool. */
const NEEDED_CONNECTIONS = POOL_SIZE + 1;

/** Whether the service can run on this PostgreSQL server. */
export function* postgresServerFindings(
  host: string,
  server: PostgresServer,
  hasPending: boolean,
): Iterable<Finding> {
  yield ok(`PostgreSQL at ${host} lets the service in`);
  yield versionFinding(Math.floor(server.version / 10_000));
  if (server.isStandby) {
    yield fail('it is a standby: nothing can be written', 'let DATABASE_URL name the primary');
  } else if (hasPending && !server.mayCreate) {
    yield fail(
      'migrations are pending, but the user may not create tables',
      'GRANT CREATE ON SCHEMA public TO the user of DATABASE_URL',
    );
  }
  yield encryptionFinding(host, server.isEncrypted === true);
  yield poolFinding(server);
  if (server.statementTimeout === '0') {
    yield warn(
      'behind a pooler, a statement outside a transaction has no time limit on the server',
      'give the user one: ALTER ROLE ... SET statement_timeout = 5000',
    );
  }
}

const versionFinding = (major: number) =>
  major >= OLDEST_VERSION
    ? ok(`version ${major}`)
    : warn(`version ${major}`, `Gatehouse is tested with ${OLDEST_VERSION}: upgrade PostgreSQL`);

function encryptionFinding(host: string, isEncrypted: boolean): Finding {
  if (isEncrypted) return ok('the connection is encrypted');
  const hostname = host.replace(/:\d+$/, '');
  if (hostname === '' || isLoopbackHostname(hostname))
    return ok('the connection stays on this machine');
  return warn(
    'the connection is not encrypted',
    'add ?sslmode=verify-full to DATABASE_URL, unless no other host is on that network',
  );
}

function poolFinding({ maxConnections }: PostgresServer): Finding {
  const text = `${maxConnections} connections are allowed and a replica takes up to ${NEEDED_CONNECTIONS}`;
  const replicas = Math.floor(maxConnections / NEEDED_CONNECTIONS);
  return replicas === 0
    ? fail(text, 'raise max_connections: requests wait for a connection and get 503')
    : ok(`${text}: room for ${replicas === 1 ? 'one replica' : `${replicas} replicas`}`);
}
