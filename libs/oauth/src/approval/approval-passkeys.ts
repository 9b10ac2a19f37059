import type { EntityManager } from 'typeorm';
import type { User } from '#libs/accounts';

/** A passkey that has confirmed something. */
export interface Confirmation {
  /** In a transaction that has locked the account: @throws RefusalError 403 where the passkey was removed meanwhile */
  expectHeld(manager: EntityManager): Promise<void>;
}

/** Confirms a decision with a passkey of the account; the application replaces it. This one has no passkeys. */
export abstract class ApprovalPasskeys {
  /** WebAuthn request options, whose challenge is good for this account, origin and subject. @throws RefusalError 403 */
  abstract options(user: Pick<User, 'id'>, origin: string, subject: string): Promise<object>;

  /** Resolves when the assertion confirms the subject, once. @throws RefusalError 403 */
  abstract verify(
    user: Pick<User, 'id'>,
    origin: string,
    subject: string,
    assertion: unknown,
  ): Promise<Confirmation>;
}
