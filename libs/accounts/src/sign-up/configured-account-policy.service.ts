import { Inject, Injectable } from '@nestjs/common';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { AccountPolicy, type Applicant, type SignUp } from './account-policy.js';

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
