import type { DependentSql } from '#libs/platform';

/**
 * Changes that end a session and begin another, for a sign-in statement. The first change of that statement has to
 * ensure that the account exists and stays enabled until all changes took effect. Placeholders are `$n` and the ten
 * after it, which `SessionsService.prepare` fills.
 */
export const sessionBeginning = (n: number): readonly DependentSql[] => [
  ({ decided }) => `DELETE FROM sessions WHERE token_hash = $${n} AND ${decided}`,
  ({ decided }) => `
    INSERT INTO sessions (token_hash, id, user_id, origin, browser, began_by, credential_id,
      created_at, last_seen_at, expires_at)
    SELECT $${n + 1}, $${n + 2}, $${n + 3}, $${n + 4}, $${n + 5}, $${n + 6}, $${n + 7},
      CAST($${n + 8} AS bigint), CAST($${n + 9} AS bigint), CAST($${n + 10} AS bigint)
    WHERE ${decided}`,
];
