import type { DependentSql } from '#libs/platform';

/**
 * Ends the link of an account, among the other changes of a statement that lets its owner in: who has a
 * passkey needs it no longer. `$n` is the account's id.
 */
export const recoveryLinkEnding =
  (n: number): DependentSql =>
  ({ decided }) =>
    `DELETE FROM recovery_codes WHERE user_id = $${n} AND expires_at IS NOT NULL AND ${decided}`;
