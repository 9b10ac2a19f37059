import { Inject, Injectable } from '@nestjs/common';
import {
  ACCOUNTS_OPTIONS,
  type AccountsOptions,
  type SignUp,
} from '../accounts.module-definition.js';

/** A person as another issuer identifies them, such as an OpenID provider or a company's directory. */
export interface ExternalIdentity {
  /** Identifies who vouches for the person, such as `iss` of an ID token or the entity ID of a SAML provider. */
  readonly issuer: string;
  /** Identifies the person at the issuer for good, such as `sub`; not an e-mail address, which may pass to others. */
  readonly subject: string;
}

/** A person who asks for an account. */
export interface Applicant {
  /** As it will be stored. */
  readonly displayName: string;
  readonly origin: string;
  /** Set when the person was identified elsewhere and gets the account without a passkey. */
  readonly identity?: ExternalIdentity;
}

/**
 * Decides who may create an account. Called before a ceremony begins and again when it ends, and once for a person
 * who was identified elsewhere, on any replica; never for a user who has an account or recovers one. A policy that rejects fails closed: the request ends as an
 * internal error.
 */
export abstract class AccountPolicy {
  static readonly portOf = 'accounts';

  /**
   * What the pages offer, for all applicants: `closed` refuses without calling `refusalOf`, and with `invite` each
   * account takes a use of an invite, in the transaction that creates the account. It does not apply to accounts
   * that managed access creates.
   */
  abstract readonly signUp: SignUp;

  /**
   * The reason why this applicant gets no account, for people, at most a sentence; undefined accepts. With `invite`
   * it is called only for applicants with a valid code.
   */
  abstract refusalOf(applicant: Applicant): Promise<string | undefined>;
}

/** Applies `AccountsOptions.signUp` to all applicants alike. */
@Injectable()
export class ConfiguredAccountPolicy extends AccountPolicy {
  readonly signUp: SignUp;

  constructor(@Inject(ACCOUNTS_OPTIONS) { signUp = 'open' }: AccountsOptions) {
    super();
    this.signUp = signUp;
  }

  async refusalOf(_applicant: Applicant): Promise<string | undefined> {
    return undefined;
  }
}
