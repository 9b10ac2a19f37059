/** Whether a statement failed because the row already exists, on SQLite or Postgres. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { driverError } = error as { driverError?: { code?: unknown } };
  if (driverError?.code === '23505') return true;
  return driverError?.code === 'SQLITE_CONSTRAINT' && error.message.includes('UNIQUE constraint');
}
