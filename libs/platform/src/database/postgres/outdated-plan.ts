/**
 * Whether Postgres refused a prepared statement because a column that it returns has another type since, as
 * when a newer replica has migrated. The connection refuses it from then on. The text of the error is in the
 * language of the server, so this goes by the routine.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
