import type { ClientBase } from 'pg';

/** What a session may take on the server, in milliseconds; 0 is no limit. */
interface SessionLimits {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/** No row, and nothing set, on a connection that was greeted by somebody else than the server behind it. */
const SET_LIMITS = `
  SELECT set_config('statement_timeout', $1, false),
    set_config('idle_in_transaction_session_timeout', $2, false)
  WHERE pg_backend_pid() = $3`;

const PATIENCE_MS = 1_000;

const BEGIN = /^(?:BEGIN|START TRANSACTION)$/i;

/**
 * Sets the time limits of a new connection, and not in its greeting, where PgBouncer refuses them.
 *
 * Behind a pooler every transaction gets whatever connection is free, so what is set for a session is left
 * to somebody else. A pooler shows by the process id in its greeting, which is not the server's. There the
 * limits are set in each transaction; a statement outside of one has only those of its user (`ALTER ROLE`).
 * And no prepared statement has a name there: the next connection would not know it.
 */
export async function limitSession(client: ClientBase, limits: SessionLimits): Promise<void> {
  const { statementMs, idleInTransactionMs } = limits;
  const greetedBy = 'processID' in client ? client.processID : null;
  const setLimits = {
    text: SET_LIMITS,
    values: [String(statementMs), String(idleInTransactionMs), greetedBy],
    query_timeout: PATIENCE_MS,
  };
  const { rowCount } = await client.query(setLimits);
  if (rowCount !== 0) return;
  limitTransactions(
    client,
    `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  );
}

function limitTransactions(client: ClientBase, setLimits: string): void {
  client.query = new Proxy(client.query, {
    apply: (query, self, [what, ...rest]: unknown[]) =>
      Reflect.apply(query, self, [rewritten(what, setLimits), ...rest]),
  });
}

function rewritten(what: unknown, setLimits: string): unknown {
  if (typeof what === 'string') return BEGIN.test(what) ? `${what}; ${setLimits}` : what;
  const isConfig = typeof what === 'object' && what !== null && !('submit' in what);
  return isConfig ? { ...what, name: undefined } : what;
}
