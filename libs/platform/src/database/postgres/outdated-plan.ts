/**
 * Whether Postgres refused a prepared statement because the type of a returned column has changed, for example by a
 * migration of a newer replica. The connection keeps refusing the statement. The error's text is in the language of
 * the server, so this checks the routine.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
