import type { DataSource } from 'typeorm';
import { recoveryLinkEnding, sessionBeginning } from '#libs/accounts';
import { PreparedStatement, changesOf } from '#libs/platform';
import type { Asserted, Credential } from './credential.js';

/** The counter moves on from the value that was read alone; whoever disables the account waits. */
const SIGN_IN = new PreparedStatement(
  'sign-in',
  changesOf(
    ({ forShare }) => `
      UPDATE credentials SET sign_count = $3, backed_up = $4, last_used_at = $5
      WHERE id = $1 AND sign_count = $2
        AND EXISTS (SELECT 1 FROM users WHERE id = $6 AND disabled_at IS NULL ${forShare})`,
    recoveryLinkEnding(6),
    ...sessionBeginning(7),
  ),
);

/**
 * Writes what an assertion tells, ends the account's recovery link, and begins the session that
 * `SessionsService.prepare` made. False, and nothing is written, when another sign-in moved the counter, or the credential or its account is gone, or
 * the account disabled.
 */
export async function signIn(
  dataSource: DataSource,
  { id, signCount, userId }: Credential,
  asserted: Asserted,
  session: readonly unknown[],
): Promise<boolean> {
  const told = [asserted.signCount, asserted.backedUp, Date.now()];
  const values = [id, signCount, ...told, userId, ...session];
  return (await SIGN_IN.run(dataSource, values)).affected === 1;
}
