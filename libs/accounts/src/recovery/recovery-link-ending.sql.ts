import type { DependentSql } from '#libs/platform';

/**
 * Deletes the recovery link of an account, as one of the changes of a sign-in statement: an owner who has a passkey
 * no longer needs the link. `$n` is the account's id.
 */
export const recoveryLinkEnding =
  (n: number): DependentSql =>
  ({ decided }) =>
    `DELETE FROM recovery_codes WHERE user_id = $${n} AND expires_at IS NOT NULL AND ${decided}`;
