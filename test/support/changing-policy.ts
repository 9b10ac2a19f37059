import type { Extension } from '#server';
import { AccountPolicy, type SignUp } from '#libs/accounts';

/** A team's own policy that a test changes while people sign up. */
export class ChangingPolicy extends AccountPolicy {
  signUp: SignUp = 'open';

  /** The extension that adds it to a service. */
  get extension(): Partial<Extension> {
    return { replacements: { accounts: [{ provide: AccountPolicy, useValue: this }] } };
  }

  override async refusalOf() {
    return undefined;
  }
}
