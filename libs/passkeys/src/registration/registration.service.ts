import { Inject, Injectable } from '@nestjs/common';
import {
  generateId,
  RefusalError,
  type Session,
  type SignInContext,
  SignUpService,
  type User,
  type Visitor,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { malformedId, readClientData } from '../ceremony.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { CHALLENGE_LIFETIME_MS, type Challenge } from '../challenge/challenge.store.js';
import {
  ACCEPTED_ALGORITHMS,
  type Credential,
  isCredentialId,
  MAX_CREDENTIALS_PER_USER,
} from '../credential/credential.js';
import {
  accountIsFull,
  CredentialsService,
  signInAgain,
} from '../credential/credential.service.js';
import { alreadyRegistered, CredentialStore } from '../credential/credential.store.js';
import { PASSKEYS_OPTIONS, type PasskeysOptions } from '../passkeys.module-definition.js';

interface Registration {
  readonly user: User;
  readonly issued: Challenge;
  readonly existing: readonly Pick<Credential, 'id' | 'transports'>[];
}

/** Registration of a passkey, for a new account or a further one (contract, Registration). */
@Injectable()
export class RegistrationService {
  constructor(
    @Inject(PASSKEYS_OPTIONS) private readonly options: PasskeysOptions,
    private readonly challenges: ChallengesService,
    private readonly store: CredentialStore,
    private readonly credentials: CredentialsService,
    private readonly signUps: SignUpService,
  ) {}

  /** The steps of `register/options`. Throws RefusalError. */
  async begin({ origin, hostname, carried }: SignInContext, fields: JsonObject, visitor: Visitor) {
    // 1. to 3. Signed in, for a further passkey; signed out, for a new account.
    const { user, issued, existing } = carried
      ? await this.forAccount(origin, carried, fields)
      : await this.forNewAccount(origin, fields);
    // 4. The options, with a fresh challenge (WebAuthn L3 §5.4).
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: this.options.relyingPartyName,
      rpID: hostname,
      userName: user.displayName,
      userDisplayName: user.displayName,
      userID: new TextEncoder().encode(user.id),
      timeout: CHALLENGE_LIFETIME_MS,
      attestationType: 'none',
      excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ACCEPTED_ALGORITHMS,
    });
    // 5. The challenge is stored.
    await this.challenges.issue(options.challenge, issued, visitor);
    return options;
  }

  private async forAccount(
    origin: string,
    session: Session,
    fields: JsonObject,
  ): Promise<Registration> {
    if (Object.hasOwn(fields, 'displayName')) {
      throw new RefusalError(400, 'you are already signed in; sign out first');
    }
    const { user } = session;
    await this.credentials.expectFreshToAdd(session, this.options.addPasskeyMaxAgeMs);
    const existing = await this.store.list(user.id);
    if (existing.length >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
    const issued = { purpose: 'add', origin, userId: user.id, displayName: null } as const;
    return { user, issued, existing };
  }

  private async forNewAccount(origin: string, fields: JsonObject): Promise<Registration> {
    const request = await this.signUps.begin(origin, fields);
    const user = { id: generateId(), displayName: request.displayName };
    return { user, issued: { purpose: 'register', userId: user.id, ...request }, existing: [] };
  }

  /** The steps of `register/verify`. Throws RefusalError. */
  async finish(context: SignInContext, body: JsonObject) {
    // 1. The challenge is taken back, whatever it was issued for.
    const { origin, carried } = context;
    const clientData = readClientData(body);
    const issued = clientData && (await this.challenges.take(clientData.challenge, origin));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    // 2. The response is verified. Imported here, with the library, so that the start does not wait for it.
    const { verifyRegistration } = await import('./registration-verification.js');
    const credential = await verifyRegistration(body, clientData, context);
    // 3. The id has the form of a credential id.
    if (!isCredentialId(credential.id)) throw malformedId();
    // 4. No account has it. The insert decides where two register it at once.
    if (await this.store.exists(credential.id)) throw alreadyRegistered();
    // 5. A further passkey, for the account that the challenge was issued for.
    if (issued.purpose === 'add') {
      if (carried?.user.id !== issued.userId) throw signInAgain();
      const endedSessions = await this.credentials.add(carried, credential);
      return { user: carried.user, endedSessions };
    }
    // 6. A new account: user, credential and session together.
    const { userId } = issued;
    const began = { by: 'registration', credentialId: credential.id } as const;
    return this.signUps.finish(issued, { ...context, userId, began }, (manager) =>
      this.store.insert(manager, { ...credential, userId }),
    );
  }
}
