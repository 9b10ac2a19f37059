import type { DataSource } from 'typeorm';
import { recoveryLinkEnding, sessionBeginning } from '#libs/accounts';
import { PreparedStatement, changesOf } from '#libs/platform';
import type { Asserted, Credential } from './credential.js';

/** Updates the counter only if it still has the value that was read; locks the account against being disabled. */
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
 * Stores what an assertion reports, ends the account's recovery link, and begins the session that
 * `SessionsService.prepare` made. Returns false and writes nothing when another sign-in changed the counter, or
 * when the credential or its account is gone or the account is disabled.
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
