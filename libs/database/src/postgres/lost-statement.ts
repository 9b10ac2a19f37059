/** No statement of that name; one of that name already. */
const STATES = new Set<unknown>(['26000', '42P05']);

/**
 * Whether Postgres does not know a statement that this connection has prepared, or knows one of its name that it has
 * not: something in between shares connections without having shown it.
 */
export const isStatementLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && STATES.has(error.code);
