import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  expectFresh,
  generateUserId,
  lockSession,
  type OwnOrigin,
  RefusalError,
  type Session,
  SessionsService,
  SignUpService,
  type User,
  UsersService,
  type Visitor,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import {
  ACCEPTED_ALGORITHMS,
  type Credential,
  isCredentialId,
  MAX_CREDENTIALS_PER_USER,
  type NewCredential,
} from '../credential/credential.js';
import { malformedId, readClientData, type SeenBrowser } from '../ceremony.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import {
  type Challenge,
  CHALLENGE_LIFETIME_MS,
  type SignUpChallenge,
} from '../challenge/challenge.store.js';
import {
  accountIsFull,
  alreadyRegistered,
  CredentialsService,
} from '../credential/credential.store.js';
import { PASSKEYS_OPTIONS, type PasskeysOptions } from '../passkeys.module-definition.js';

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

/** A new account: its user, with the token of its session and the id of the invite that it used. */
export interface NewAccount {
  readonly user: User;
  readonly token: string;
  readonly inviteId: string | undefined;
}

/** Ends a sign-up: creates an account with its first credential. */
@Injectable()
export class NewAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signUps: SignUpService,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Takes the use of an invite and creates user, credential and session, in one transaction. Throws RefusalError
   * 403 when the applicant may no longer have an account.
   */
  async create(
    issued: SignUpChallenge,
    credential: NewCredential,
    { session, browser }: SeenBrowser,
  ): Promise<NewAccount> {
    await this.signUps.expectWelcome(issued);
    const { origin, displayName, inviteHash } = issued;
    const user: User = { id: issued.userId, displayName };
    const began = { by: 'registration', credentialId: credential.id } as const;
    return this.dataSource.transaction(async (manager) => {
      const inviteId = await this.signUps.spendInvite(manager, inviteHash);
      await this.users.insert(manager, user);
      await this.credentials.insert(manager, { ...credential, userId: user.id });
      const asked = { userId: user.id, origin, browser, began };
      return { user, inviteId, token: await this.sessions.start(manager, asked, session) };
    });
  }
}

/** Adds a credential to an account that already has one. */
@Injectable()
export class FurtherCredentialService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
  ) {}

  /**
   * Of parallel calls for a nearly full account, only as many succeed as it has room for. A session that has ended
   * since it was looked up adds nothing.
   */
  async add(session: Session, credential: NewCredential): Promise<void> {
    const { user } = session;
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, user.id))) throw signInAgain();
      if (!(await lockSession(manager, session))) throw signInAgain();
      const count = await this.credentials.count(manager, user.id);
      if (count >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
      await this.credentials.insert(manager, { ...credential, userId: user.id });
    });
  }
}

export const signInAgain = () => new RefusalError(403, 'sign in again to add a passkey');

/** Ends the registration ceremony: with a new account and its first credential, or with a further credential. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly newAccounts: NewAccountService,
    private readonly furtherCredentials: FurtherCredentialService,
  ) {}

  /** The user that the credential now belongs to and, for a new account, the result of NewAccountService. */
  async finish(party: OwnOrigin, seen: SeenBrowser, body: JsonObject) {
    const { session } = seen;
    const clientData = readClientData(body);
    const { origin } = party;
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'register', 'add'));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    // Imported here, with the library, so that the start does not wait for it.
    const { verifyRegistration } = await import('./registration-verification.js');
    const credential = await verifyRegistration(body, clientData, party);
    if (!isCredentialId(credential.id)) throw malformedId();
    if (await this.credentials.exists(credential.id)) throw alreadyRegistered();
    if (issued.purpose === 'register') return this.newAccounts.create(issued, credential, seen);
    if (session?.user.id !== issued.userId) throw signInAgain();
    await this.furtherCredentials.add(session, credential);
    return { user: session.user };
  }
}
