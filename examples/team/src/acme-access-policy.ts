import { type AccessDecision, AccessPolicy, type AccessRequest } from 'gatehouse/oauth';

const DAY_MS = 24 * 60 * 60 * 1000;

/** People of the company alone connect apps, and none that runs code on the account's first day. */
export class AcmeAccessPolicy extends AccessPolicy {
  constructor(private readonly issuer: string) {
    super();
  }

  override async decide({ person, scopes }: AccessRequest): Promise<AccessDecision> {
    const isOurs = person.identities.some(({ issuer }) => issuer === this.issuer);
    if (!isOurs) return { refusal: 'Only people who sign in with Acme connect apps.' };
    const isNew = Date.now() - person.createdAt < DAY_MS;
    return isNew ? { scopes: scopes.filter((scope) => scope !== 'code:run') } : 'allow';
  }
}
