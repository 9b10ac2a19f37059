import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccountSessionsService,
  hashSecret,
  RefusalError,
  type OwnOrigin,
  SessionsService,
  type User,
  UsersService,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { CHALLENGE_LIFETIME_MS } from '../challenge/challenge.store.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { type Asserted, type Credential, isCredentialId } from '../credential/credential.js';
import { CredentialsService } from '../credential/credential.store.js';
import { belongsTo, isReversed, verifyAuthentication } from './login-verification.js';
import {
  type ClientData,
  CounterReversedError,
  malformedId,
  notVerified,
  OwnerRefusedError,
  readClientData,
  type SeenBrowser,
} from '../ceremony.js';

/** The authentication ceremony with a discoverable passkey, which identifies the user. */
@Injectable()
export class LoginService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly accountSessions: AccountSessionsService,
    private readonly users: UsersService,
  ) {}

  async begin({ origin, hostname }: OwnOrigin) {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      challenge: await this.challenges.issueForSignIn(origin),
      rpID: hostname,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    });
  }

  /**
   * Returns the user, the token of a new session, which replaces the session that the request carried, and the
   * least recently used sessions that were ended to keep the account at 100.
   */
  async finish(party: OwnOrigin, seen: SeenBrowser, body: JsonObject) {
    const clientData = readClientData(body);
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, party.origin, 'login'));
    if (!issued) throw new RefusalError(400, 'sign-in expired or was already used; start again');
    const { credential, owner } = await this.present(body, clientData, party);
    const asserted = await verifyAuthentication(body, clientData, party, credential);
    if (!owner) throw notRegistered();
    if (isReversed(asserted.signCount, credential)) throw new CounterReversedError(owner.id);
    const token = await this.signIn(owner, credential, asserted, party.origin, seen);
    const ended = await this.accountSessions.endBeyond(owner, { tokenHash: hashSecret(token) });
    return { user: owner, token, ended };
  }

  /** The stored credential that a response names; the user handle has to match its owner. */
  private async present(body: JsonObject, { framed, origin }: ClientData, party: OwnOrigin) {
    if (!isCredentialId(body['id'])) throw malformedId();
    const found = await this.credentials.find(body['id']);
    if (!found) {
      const isOurs = !framed && origin === party.origin;
      throw notRegistered(isOurs && (await this.credentials.wasDeleted(body['id'])));
    }
    if (!belongsTo(body, found.credential.userId)) {
      throw new RefusalError(400, 'this passkey belongs to another account; use another one');
    }
    return found;
  }

  private async signIn(
    owner: User,
    credential: Credential,
    asserted: Asserted,
    origin: string,
    { session, browser }: SeenBrowser,
  ) {
    const began = { by: 'passkey', credentialId: credential.id } as const;
    const about = { userId: owner.id, origin, browser, began };
    const { token, values } = this.sessions.prepare(about, session);
    if (!(await this.credentials.signIn(credential, asserted, values))) {
      throw await this.notSignedIn(owner);
    }
    return token;
  }

  /** The reason why the sign-in changed nothing. Throws RefusalError 403 when the account has been disabled since. */
  private async notSignedIn({ id }: User) {
    const { manager } = this.dataSource;
    await this.users.expectEnabled(manager, id).catch((error: unknown) => {
      throw error instanceof RefusalError ? new OwnerRefusedError(id, error) : error;
    });
    const isThere = await this.users.lock(manager, id);
    return isThere ? notVerified(new Error('signed in twice at once')) : notRegistered();
  }
}

/**
 * For a deleted passkey the answer has a header, so that our page can have the passkey manager remove it (WebAuthn
 * L3 §5.1.10). Never for one that is unknown for another reason, such as a restored database.
 */
const notRegistered = (wasDeleted = false) =>
  new RefusalError(
    400,
    'this passkey is not registered here; use another, or create an account',
    wasDeleted ? { 'Passkey-Signal': 'unknown' } : {},
  );
