/** What strangers are offered: an account, an account for an invitation code, or none. */
export type SignUp = 'open' | 'invite' | 'closed';

/** Somebody who asks for an account. */
export interface Applicant {
  /** As it will be stored. */
  readonly displayName: string;
  /** The origin that the account is made on. */
  readonly origin: string;
}

/**
 * Who may have an account. Asked before a ceremony begins and again when it ends, on any replica; who has
 * an account is never asked, nor who recovers one. A policy that rejects fails closed: the request ends as
 * an internal error.
 */
export abstract class AccountPolicy {
  static readonly portOf = 'accounts';

  /**
   * What the pages offer, and what holds for everybody: `closed` refuses without asking further, and with
   * `invite` each account takes a use of an invite, in the transaction that makes it.
   */
  abstract readonly signUp: SignUp;

  /**
   * Why this one gets no account, for people, at most a sentence; undefined lets through. With `invite`
   * only those are asked about who hold a code that is good.
   */
  abstract refusalOf(applicant: Applicant): Promise<string | undefined>;
}
