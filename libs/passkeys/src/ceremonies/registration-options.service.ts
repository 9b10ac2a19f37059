import { Inject, Injectable } from '@nestjs/common';
import {
  expectFresh,
  generateUserId,
  type OwnOrigin,
  RefusalError,
  type Session,
  SignUpService,
  type User,
  type Visitor,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { CHALLENGE_LIFETIME_MS, type Challenge } from '../challenge/challenge.store.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { type Credential, MAX_CREDENTIALS_PER_USER } from '../credential/credential.js';
import { accountIsFull, CredentialsService } from '../credential/credential.store.js';
import { PASSKEYS_OPTIONS, type PasskeysOptions } from '../passkeys.module-definition.js';
import { ACCEPTED_ALGORITHMS } from './algorithms.js';

/** Begins the registration ceremony: creation options with a new challenge (WebAuthn L3 §5.4). */
@Injectable()
export class RegistrationOptionsService {
  constructor(
    @Inject(PASSKEYS_OPTIONS) private readonly options: PasskeysOptions,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly signUps: SignUpService,
  ) {}

  /** For a new account when signed out, for a further credential of the account when signed in. */
  async generate(
    party: OwnOrigin,
    session: Session | undefined,
    fields: JsonObject,
    visitor: Visitor,
  ) {
    if (!session) return this.forNewAccount(party, fields, visitor);
    return this.forAccount(party, session, fields, visitor);
  }

  private async forNewAccount(party: OwnOrigin, fields: JsonObject, visitor: Visitor) {
    const request = await this.signUps.begin(party.origin, fields);
    const user = { id: generateUserId(), displayName: request.displayName };
    const issued = { purpose: 'register', userId: user.id, ...request } as const;
    return this.issue(party, user, issued, visitor);
  }

  private async forAccount(
    party: OwnOrigin,
    session: Session,
    fields: JsonObject,
    visitor: Visitor,
  ) {
    if (Object.hasOwn(fields, 'displayName')) {
      throw new RefusalError(400, 'you are already signed in; sign out first');
    }
    const { addPasskeyMaxAgeMs } = this.options;
    if (addPasskeyMaxAgeMs !== undefined) expectFresh(session, addPasskeyMaxAgeMs);
    const { user } = session;
    const existing = await this.credentials.ofUser(user.id);
    if (existing.length >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
    const { origin } = party;
    const issued = { purpose: 'add', origin, userId: user.id, displayName: null } as const;
    return this.issue(party, user, issued, visitor, existing);
  }

  private async issue(
    party: OwnOrigin,
    user: User,
    issued: Challenge,
    visitor: Visitor,
    existing: readonly Pick<Credential, 'id' | 'transports'>[] = [],
  ) {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: this.options.relyingPartyName,
      rpID: party.hostname,
      userName: user.displayName,
      userDisplayName: user.displayName,
      userID: new TextEncoder().encode(user.id),
      timeout: CHALLENGE_LIFETIME_MS,
      attestationType: 'none',
      excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ACCEPTED_ALGORITHMS,
    });
    await this.challenges.issue(options.challenge, issued, visitor);
    return options;
  }
}
