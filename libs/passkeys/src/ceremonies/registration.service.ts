import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type OwnOrigin,
  RefusalError,
  type Session,
  SessionsService,
  type User,
  UsersService,
} from '#libs/accounts';
import type { JsonObject } from '#libs/json';
import { ChallengesService } from '../challenges/challenges.service.js';
import { type Credential, MAX_CREDENTIALS_PER_USER } from '../credentials/credential.js';
import { isCredentialId } from '../credentials/credential-id.js';
import {
  accountIsFull,
  alreadyRegistered,
  CredentialsService,
} from '../credentials/credentials.service.js';
import { malformedId } from './ceremony.error.js';
import { readClientData } from './client-data.js';
import { verifyRegistration } from './registration-verification.js';
import type { SeenBrowser } from './seen-browser.js';

type NewCredential = Omit<Credential, 'userId'>;

/** How the registration ceremony ends: a new account with its first credential, or a further credential. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
  ) {}

  /** The user the credential now belongs to, and for a new account its session token. */
  async finish(party: OwnOrigin, seen: SeenBrowser, body: JsonObject) {
    const { session } = seen;
    const clientData = readClientData(body);
    const { origin } = party;
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'register', 'add'));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    const credential = await verifyRegistration(body, clientData, party);
    if (!isCredentialId(credential.id)) throw malformedId();
    if (await this.credentials.exists(credential.id)) throw alreadyRegistered();
    if (issued.purpose === 'register') {
      const user: User = { id: issued.userId, displayName: issued.displayName };
      return { user, token: await this.createAccount(user, credential, origin, seen) };
    }
    if (session?.user.id !== issued.userId) throw signInAgain();
    await this.addCredential(session, credential);
    return { user: session.user };
  }

  /** User, credential and session together or not at all. */
  private async createAccount(
    user: User,
    credential: NewCredential,
    origin: string,
    { session, browser }: SeenBrowser,
  ): Promise<string> {
    const began = { by: 'registration', credentialId: credential.id } as const;
    return this.dataSource.transaction(async (manager) => {
      await this.users.insert(manager, user);
      await this.credentials.insert(manager, { ...credential, userId: user.id });
      return this.sessions.start(manager, { userId: user.id, origin, browser, began }, session);
    });
  }

  /**
   * Of parallel calls for a nearly full account only as many succeed as it has room for. A session
   * that ended since it was found adds nothing.
   */
  private async addCredential(session: Session, credential: NewCredential): Promise<void> {
    const { user } = session;
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, user.id))) throw signInAgain();
      if (!(await this.sessions.lock(manager, session))) throw signInAgain();
      const count = await this.credentials.count(manager, user.id);
      if (count >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
      await this.credentials.insert(manager, { ...credential, userId: user.id });
    });
  }
}

const signInAgain = () => new RefusalError(403, 'sign in again to add a passkey');
