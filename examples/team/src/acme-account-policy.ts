import { type Applicant, ConfiguredAccountPolicy } from 'gatehouse/accounts';

/** Narrows SIGN_UP: refuses names that could be taken for the company. */
export class AcmeAccountPolicy extends ConfiguredAccountPolicy {
  override async refusalOf({ displayName }: Applicant) {
    const isOurs = /\bacme\b/i.test(displayName);
    return isOurs ? 'names with Acme in them are for Acme itself; choose another one' : undefined;
  }
}
