import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors } from 'oidc-provider';
import { SecurityEventsService, type Session, SessionsService } from '#libs/accounts';
import { type AuthorizationRequest, responseLocation } from '../authorize/authorization-request.js';
import { AUTHORIZE_REFUSALS, authorizeRefusal } from '../authorize/authorize-refusals.js';
import { publishedBy } from '../clients/app-name.js';
import { ClientBlocks } from '../clients/blocks/client-blocks.sql.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { redirectHostOf } from '../clients/redirect-uri.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { prepareCode } from '../provider/provider-storage.js';
import { ProvidersService } from '../provider/providers.service.js';
import { ConsentApprovals, ConsentsService, type NewGrant } from './consent.store.js';

/** A consent form that is being answered. */
export interface ShownConsent {
  readonly origin: string;
  readonly handle: string;
  readonly request: AuthorizationRequest;
  readonly session: Session;
}

/** A new grant, and the code that is exchanged for its tokens. */
interface IssuedCode {
  readonly code: string;
  readonly grantId: string;
  /** Ids of the grants that it replaces. */
  readonly replaced: readonly string[];
}

const GRANT_ID_BYTES = 16;

/** Creates the grant for an approved consent form, with an authorization code from the library. */
@Injectable()
export class AuthorizationCodeIssuerService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly approvals: ConsentApprovals,
    private readonly blocks: ClientBlocks,
  ) {}

  /**
   * Returns the code and the id of a new grant of the chosen scopes, which may be more or fewer than the client
   * requested. Returns undefined and changes nothing when the form was already answered or its session has ended.
   * Throws RefusalError 400 when the client is blocked, no longer available or has changed its redirect URIs.
   */
  async issue(shown: ShownConsent, scopes: readonly string[]): Promise<IssuedCode | undefined> {
    const { session, handle, request } = shown;
    const grant = grantFor(shown, scopes);
    const code = await this.codeFor(grant, request);
    await this.clients.touch(grant.clientId);
    if (!(await this.approvals.approve(session, handle, grant, code))) {
      const isBlocked = await this.blocks.keepsOut(grant.clientId, grant.redirectHost);
      if (isBlocked) throw authorizeRefusal('blocked');
      return undefined;
    }
    const replaced = await this.approvals.endOlder(grant);
    return { code: code.value, grantId: grant.id, replaced };
  }

  /**
   * Reads the client again although the request was validated before: while the consent form was open, for
   * minutes perhaps, the client may have been removed or may have changed its redirect URIs.
   */
  private async codeFor(
    { id: grantId, userId, origin, scope }: NewGrant,
    { clientId, redirectUri, resource, codeChallenge }: AuthorizationRequest,
  ) {
    const provider = this.providers.forOrigin(origin);
    const client = await provider.Client.find(clientId).catch((error: unknown) => {
      throw forPeople(error);
    });
    if (!client) throw authorizeRefusal('clientGone');
    if (!client.redirectUriAllowed(redirectUri)) throw authorizeRefusal('clientChanged');
    const code = new provider.AuthorizationCode({
      accountId: userId,
      client,
      grantId,
      redirectUri,
      resource,
      scope,
      codeChallenge,
      codeChallengeMethod: 'S256',
    } as never);
    return prepareCode(code);
  }
}

function grantFor({ origin, request, session }: ShownConsent, scopes: readonly string[]): NewGrant {
  const { app, clientId, redirectUri } = request;
  return {
    id: randomBytes(GRANT_ID_BYTES).toString('base64url'),
    userId: session.user.id,
    clientId,
    origin,
    scope: scopes.join(' '),
    app,
    redirectHost: redirectHostOf(redirectUri),
    published: publishedBy(clientId),
  };
}

function forPeople(error: unknown): unknown {
  if (error instanceof ClientDocumentError || error instanceof errors.InvalidClientMetadata) {
    return authorizeRefusal('unverified', { cause: error });
  }
  return error;
}

/** Turns the answer to a consent form into the redirect to the client. */
@Injectable()
export class ConsentAnswersService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodeIssuerService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Throws RefusalError 400 for a handle that was used, has expired or was shown to another session,
   * and 401 when the session or its account ended before the answer was processed.
   */
  async answer(origin: string, session: Session, form: URLSearchParams): Promise<string> {
    const handle = form.get('handle') ?? '';
    const request = await this.consents.find(session, origin, handle);
    if (!request) throw await this.refused(origin, session, handle);
    const shown: ShownConsent = { origin, handle, request, session };
    const chosen = this.chosenScopes(form);
    if (form.get('decision') !== 'approve') return this.deny(shown, 'the user denied the request');
    if (chosen.length === 0) return this.deny(shown, 'the user allowed none of the scopes');
    return this.approve(shown, chosen);
  }

  /** An expired form is not suspicious, so no security event is emitted for it. */
  private async refused(origin: string, session: Session, handle: string) {
    if (await this.hasEnded(session)) return authorizeRefusal('sessionOver');
    const fault = await this.consents.whyRefused(session, handle);
    if (fault !== 'formExpired') {
      const detail = AUTHORIZE_REFUSALS[fault].happened;
      this.events.emit({ type: 'consent-refused', userId: session.user.id, origin, detail });
    }
    return authorizeRefusal(fault);
  }

  /**
   * Using up the handle and creating the grant is one atomic change, so a form can be submitted again if the
   * replica dies before it. A second answer, or one after sign-out, changes nothing.
   */
  private async approve(shown: ShownConsent, scopes: readonly string[]) {
    const { origin, request, session } = shown;
    const issued = await this.codes.issue(shown, scopes);
    if (!issued) throw await this.notTaken(session);
    const { code, grantId, replaced } = issued;
    const { clientId, app } = request;
    const about = { userId: session.user.id, clientId, app, origin };
    this.events.emit({ type: 'consent-approved', grantId, ...about });
    for (const id of replaced) this.events.emit({ type: 'grant-replaced', grantId: id, ...about });
    return responseLocation(origin, request, { code });
  }

  private async deny({ origin, handle, request, session }: ShownConsent, description: string) {
    if (!(await this.consents.take(session, handle))) throw await this.notTaken(session);
    const { clientId, app } = request;
    const userId = session.user.id;
    this.events.emit({ type: 'consent-denied', userId, clientId, app, origin });
    return responseLocation(origin, request, {
      error: 'access_denied',
      error_description: description,
    });
  }

  /** Why a handle that was found could not be used up. */
  private async notTaken(session: Session) {
    return authorizeRefusal((await this.hasEnded(session)) ? 'sessionOver' : 'answeredMeanwhile');
  }

  private async hasEnded({ tokenHash }: Session): Promise<boolean> {
    return (await this.sessions.expiryOf(tokenHash)) === undefined;
  }

  private chosenScopes(form: URLSearchParams) {
    const chosen = new Set(form.getAll('scope'));
    return this.options.scopes.map(({ name }) => name).filter((name) => chosen.has(name));
  }
}
