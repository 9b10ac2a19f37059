import type { Dialect } from '#libs/platform';

/**
 * SQL of a condition for a change: the session of a token's hash, and the account that it is of, go on,
 * and whoever ends one of them waits until the change took effect. The account comes first, as with all who
 * lock both, so that they wait for each other and not for ever. `now` is in epoch milliseconds.
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
