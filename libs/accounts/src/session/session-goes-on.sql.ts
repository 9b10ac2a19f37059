import type { Dialect } from '#libs/platform';

/**
 * SQL condition of a change: the session with a token hash, and its account, still exist. The condition locks both
 * until the change takes effect, so that a call which ends one of them waits. The account is locked first, as in
 * every statement that locks both, which avoids deadlocks. `now` is in epoch milliseconds.
 */
export const sessionGoesOn = (
  userId: string,
  tokenHash: string,
  now: string,
  { forShare }: Dialect,
) => `EXISTS (
  SELECT 1 FROM (SELECT id FROM users WHERE id = ${userId} ${forShare}) AS account
  JOIN sessions ON user_id = account.id
  WHERE token_hash = ${tokenHash} AND expires_at > ${now} ${forShare})`;
