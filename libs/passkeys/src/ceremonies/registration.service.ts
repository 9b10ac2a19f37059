import { Inject, Injectable } from '@nestjs/common';
import {
  RefusalError,
  generateUserId,
  type OwnOrigin,
  parseDisplayName,
  type Session,
  type User,
} from '#libs/accounts';
import type { JsonObject } from '#libs/json';
import type { Challenge } from '../challenges/challenge.js';
import { ChallengesService } from '../challenges/challenges.service.js';
import type { Credential } from '../credentials/credential.js';
import { isCredentialId } from '../credentials/credential-id.js';
import { alreadyRegistered, CredentialsService } from '../credentials/credentials.service.js';
import { PASSKEYS_OPTIONS, type PasskeysOptions } from '../passkeys.module-definition.js';
import { malformedId } from './ceremony.error.js';
import { readClientData } from './client-data.js';
import { EnrolmentService, signInAgain } from './enrolment.service.js';
import { registrationOptions } from './registration-options.js';
import { verifyRegistration } from './registration-verification.js';

/** The registration ceremony: a new account with its first passkey, or a further passkey. */
@Injectable()
export class RegistrationService {
  constructor(
    @Inject(PASSKEYS_OPTIONS) private readonly options: PasskeysOptions,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly enrolment: EnrolmentService,
  ) {}

  /** Creation options: signed out for a new account, signed in for a further passkey of it. */
  async begin(party: OwnOrigin, session: Session | undefined, fields: JsonObject) {
    return session ? this.beginAdd(party, session, fields) : this.beginRegister(party, fields);
  }

  /** The user the passkey now belongs to, and for a new account its session token. */
  async finish(party: OwnOrigin, session: Session | undefined, body: JsonObject) {
    const clientData = readClientData(body);
    const { origin } = party;
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'register', 'add'));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    const passkey = await verifyRegistration(body, clientData, party);
    if (!isCredentialId(passkey.id)) throw malformedId();
    if (await this.credentials.exists(passkey.id)) throw alreadyRegistered();
    if (issued.purpose === 'register') {
      const user: User = { id: issued.userId, displayName: issued.displayName };
      return { user, token: await this.enrolment.createAccount(user, passkey, origin, session) };
    }
    if (session?.user.id !== issued.userId) throw signInAgain();
    await this.enrolment.addPasskey(session.user, passkey);
    return { user: session.user };
  }

  private async beginRegister(party: OwnOrigin, fields: JsonObject) {
    const displayName = parseDisplayName(fields['displayName']);
    if (displayName === undefined) {
      throw new RefusalError(400, 'displayName is 1 to 40 characters, without invisible ones');
    }
    const user = { id: generateUserId(), displayName };
    const { origin } = party;
    return this.offer(party, user, { purpose: 'register', origin, userId: user.id, displayName });
  }

  private async beginAdd(party: OwnOrigin, { user }: Session, fields: JsonObject) {
    if (Object.hasOwn(fields, 'displayName')) {
      throw new RefusalError(400, 'you are already signed in; sign out first');
    }
    const existing = await this.enrolment.existingPasskeys(user);
    const { origin } = party;
    const issued = { purpose: 'add', origin, userId: user.id, displayName: null } as const;
    return this.offer(party, user, issued, existing);
  }

  private async offer(
    party: OwnOrigin,
    user: User,
    issued: Challenge,
    existing: Pick<Credential, 'id' | 'transports'>[] = [],
  ) {
    const options = await registrationOptions(this.options.relyingPartyName, party, user, existing);
    await this.challenges.issue(options.challenge, issued);
    return options;
  }
}
