import { Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import {
  AuthController,
  AuthPost,
  BrowserSessionsService,
  JsonBody,
  ownOriginOf,
  RefusalError,
  SecurityEventsService,
  type SignedIn,
  type SignInContext,
  type User,
  UserStore,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { malformedId, notVerified, readClientData } from '../ceremony.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { CHALLENGE_LIFETIME_MS } from '../challenge/challenge.store.js';
import type { Use } from '../challenge/sign-in-challenge.store.js';
import {
  ChangedPasskeyError,
  changeOf,
  isOwner,
  verifyAssertion,
} from '../credential/assertion.js';
import { isCredentialId } from '../credential/credential.js';
import { CredentialStore } from '../credential/credential.store.js';

/** Any passkey of the origin may answer. */
const signInAt = (origin: string): Use => ({ purpose: 'login', origin });

/** Login with a discoverable passkey, which identifies the user (contract, Login): 405, 403, 429, 413 or 400. */
@AuthController()
export class LoginController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialStore,
    private readonly sessions: BrowserSessionsService,
    private readonly users: UserStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Options with a fresh challenge, and without a list of credentials. */
  @AuthPost('login/options')
  async options(@Req() request: Request, @JsonBody() _fields: JsonObject) {
    const { origin, hostname } = ownOriginOf(request);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      challenge: await this.challenges.issueFor(signInAt(origin)),
      rpID: hostname,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    });
  }

  @AuthPost('login/verify')
  async verify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() body: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const { origin } = context;
    const { user, token, endedSessions } = await this.signIn(context, body).catch(
      (error: unknown) => this.reportFailure(error, origin),
    );
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'sign-in', userId: user.id, origin, endedSessions });
    return { user };
  }

  /** The steps of `login/verify`. Throws RefusalError. */
  private async signIn(context: SignInContext, body: JsonObject): Promise<SignedIn> {
    // 1. The challenge is taken back, whatever it was issued for.
    const { origin, carried } = context;
    const clientData = readClientData(body);
    const isIssued =
      clientData && (await this.challenges.takeFor(clientData.challenge, signInAt(origin)));
    if (!isIssued) throw new RefusalError(400, 'sign-in expired or was already used; start again');
    // 2. The id has the form of a credential id.
    if (!isCredentialId(body['id'])) throw malformedId();
    // 3. The credential exists.
    const found = await this.credentials.find(body['id']);
    if (!found) {
      const isOurs = !clientData.framed && clientData.origin === origin;
      throw notRegistered(isOurs && (await this.credentials.wasDeleted(body['id'])));
    }
    const { credential, owner } = found;
    // 4. A user handle is the owner's.
    if (!isOwner(body, credential.userId)) {
      throw new RefusalError(400, 'this passkey belongs to another account; use another one');
    }
    // 5. The assertion is verified, all but what may have changed.
    const asserted = await verifyAssertion(body, clientData, context, credential);
    // 6. The owner exists. After this the response is the owner's, so that a change of the passkey concerns the account.
    if (!owner) throw notRegistered();
    const change = changeOf(asserted, credential);
    if (change) throw new ChangedPasskeyError(change, owner.id);
    // 7. Counter and session are written in one statement, if the counter still is the one that was read.
    const began = { by: 'passkey', credentialId: credential.id } as const;
    const { token, values } = this.sessions.prepare({ ...context, userId: owner.id, began });
    const written = await this.credentials.signIn(credential, asserted, values);
    if (!written) throw await this.notSignedIn(owner);
    // An account has at most 100 sessions.
    const surplus = written.hasManySessions ? await this.sessions.endSurplus(owner, token) : [];
    return { user: owner, token, endedSessions: carried ? [carried, ...surplus] : surplus };
  }

  /** Why the sign-in changed nothing. Throws AccountDisabledError when the account has been disabled since. */
  private async notSignedIn({ id }: User) {
    const isThere = await this.users.expectEnabled(this.dataSource.manager, id);
    return isThere ? notVerified(new Error('signed in twice at once')) : notRegistered();
  }

  private reportFailure(error: unknown, origin: string): never {
    if (error instanceof ChangedPasskeyError) {
      this.events.emit({ type: error.change, userId: error.userId, origin });
    } else {
      this.events.emitRefusal('sign-in-failed', error, origin);
    }
    throw error;
  }
}

/** Our page has the passkey manager remove a deleted one (WebAuthn L3 §5.1.10), never one that is unknown otherwise. */
const notRegistered = (wasDeleted = false) =>
  new RefusalError(
    400,
    'this passkey is not registered here; use another, or create an account',
    wasDeleted ? { 'Passkey-Signal': 'unknown' } : {},
  );
