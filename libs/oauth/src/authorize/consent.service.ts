import { Injectable } from '@nestjs/common';
import { errors, type Provider } from 'oidc-provider';
import type { EntityManager } from 'typeorm';
import { generateId, SecurityEventsService, type Session, SessionStore } from '#libs/accounts';
import { AccessRefusedError, descriptionOf } from '../access-policy/access-decision.service.js';
import { resourceOf } from '../resource/resource.js';
import { responseLocation } from './authorization-request.js';
import { AUTHORIZE_REFUSALS, authorizeRefusal } from './authorize-refusals.js';
import { publishedBy } from '../client/client.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import { type GivenScopes, type Permission, permissionsText } from '../grant/permission.js';
import { ClientsService } from '../client-document/clients.service.js';
import { ClientDocumentError } from '../client-document/client-document.js';
import { redirectHostOf, redirectHostsOf } from '../client/redirect-uri.js';
import { prepareToken } from '../provider/issue.js';
import { ProvidersService } from '../provider/providers.service.js';
import { scopeNames } from '../scope.js';
import {
  type AuthorizationRequest,
  ConsentStore,
  type NewGrant,
} from '../consent/consent.store.js';

interface ConsentAnswer {
  readonly handle: string;
  readonly isApproved: boolean;
  /** The chosen ones, which may be more or fewer than the client requested, and need not exist. */
  readonly scopes: ReadonlySet<string>;
  /** Those of which each use is asked about. */
  readonly ask: ReadonlySet<string>;
  /** While the form was open the account may have got its first passkey, or the session become too old. */
  readonly mayConsent: (manager?: EntityManager) => Promise<boolean>;
}

interface ShownConsent extends Pick<ConsentAnswer, 'mayConsent'> {
  readonly origin: string;
  readonly handle: string;
  readonly request: AuthorizationRequest;
  readonly session: Session;
}

interface ConsentClient {
  readonly model: InstanceType<Provider['Client']>;
  readonly hosts: readonly string[];
}

@Injectable()
export class ConsentService {
  constructor(
    private readonly consents: ConsentStore,
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly blocks: ClientBlockStore,
    private readonly sessions: SessionStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Throws RefusalError 400 for an unusable handle or client, 401 when the session or its account ended, 403 where
   * `mayConsent` says no.
   */
  async answer(
    origin: string,
    session: Session,
    { handle, isApproved, scopes, ask, mayConsent }: ConsentAnswer,
  ): Promise<string> {
    const request = await this.consents.find(session, origin, handle);
    if (!request) throw await this.refused(origin, session, handle);
    const shown = { origin, handle, request, session, mayConsent };
    if (!isApproved) return this.deny(shown, 'the user denied the request');
    const offered = this.providers.resources.find(origin, request.resource)?.scopes ?? [];
    const allowed = offered.filter(({ name }) => scopes.has(name));
    if (allowed.length === 0) return this.deny(shown, 'the user allowed none of the scopes');
    const client = await this.clientFor(shown);
    // Asked again: while the form was open the policy may have changed, and a form can be made up.
    const given = await this.providers.access.atConsent(session, origin, {
      client: { id: request.clientId, name: request.app, redirectHosts: client.hosts },
      resource: request.resource,
      scopes: scopeNames(offered),
    });
    if (given instanceof AccessRefusedError) return this.deny(shown, descriptionOf(given));
    const left = allowed.filter(({ name }) => given.includes(name));
    if (left.length === 0) return this.deny(shown, 'this service gives none of the scopes');
    // Other resources cannot ask.
    const canAsk = request.resource === resourceOf(origin);
    const asked = left.filter(({ name, writes }) => canAsk && writes && ask.has(name));
    const permissions = asked.map(({ name }): [string, Permission] => [name, 'ask']);
    const scope = scopeNames(left).join(' ');
    return this.approve(shown, client, { scope, permissions: permissionsText(permissions) });
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

  private async deny({ origin, handle, request, session }: ShownConsent, description: string) {
    if (!(await this.consents.take(session, handle))) throw await this.notTaken(session);
    const { clientId, app } = request;
    const userId = session.user.id;
    this.events.emit({ type: 'consent-denied', userId, clientId, app, origin });
    const refusal = { error: 'access_denied', error_description: description };
    return responseLocation(origin, request, refusal);
  }

  /** One atomic change: a form can be submitted again after a crash, and a second answer has no effect. */
  private async approve(
    { origin, handle, request, session, mayConsent }: ShownConsent,
    { model, hosts }: ConsentClient,
    { scope, permissions }: GivenScopes,
  ) {
    const { app, clientId, redirectUri, resource, codeChallenge } = request;
    const userId = session.user.id;
    const grant: NewGrant = {
      id: generateId(),
      userId,
      clientId,
      origin,
      resource: resource === resourceOf(origin) ? null : resource,
      scope,
      permissions,
      app,
      redirectHost: redirectHostOf(redirectUri),
      clientHosts: JSON.stringify(hosts),
      published: publishedBy(clientId),
    };
    const { AuthorizationCode } = this.providers.forOrigin(origin);
    const issued = new AuthorizationCode({
      accountId: userId,
      client: model,
      grantId: grant.id,
      redirectUri,
      resource,
      scope,
      codeChallenge,
      codeChallengeMethod: 'S256',
    } as never);
    const code = await prepareToken('AuthorizationCode', issued);
    await this.clients.keepDocument(clientId);
    const expectFresh = async (manager?: EntityManager) => {
      if (!(await mayConsent(manager))) throw authorizeRefusal('notFresh');
    };
    // Only of an external session it matters what others change meanwhile.
    const expectAllowed = session.beganBy === 'external' ? expectFresh : undefined;
    if (!expectAllowed) await expectFresh();
    if (!(await this.consents.approve(session, handle, grant, code, expectAllowed))) {
      const isBlocked = await this.blocks.isBlocked(clientId, hosts);
      throw isBlocked ? authorizeRefusal('blocked') : await this.notTaken(session);
    }
    const about = { userId, clientId, app, origin };
    this.events.emit({ type: 'consent-approved', grantId: grant.id, ...about });
    return responseLocation(origin, request, { code: code.value });
  }

  /** The client with its redirect hosts, read again: while the form was open it may have changed. */
  private async clientFor({ origin, request }: ShownConsent): Promise<ConsentClient> {
    const { clientId, redirectUri } = request;
    const provider = this.providers.forOrigin(origin);
    const client = await provider.Client.find(clientId).catch((error: unknown) => {
      const isUnverified =
        error instanceof ClientDocumentError || error instanceof errors.InvalidClientMetadata;
      throw isUnverified ? authorizeRefusal('unverified', { cause: error }) : error;
    });
    if (!client) throw authorizeRefusal('clientGone');
    if (!client.redirectUriAllowed(redirectUri)) throw authorizeRefusal('clientChanged');
    return { model: client, hosts: redirectHostsOf(client.redirectUris) };
  }

  private async notTaken(session: Session) {
    return authorizeRefusal((await this.hasEnded(session)) ? 'sessionOver' : 'formGone');
  }

  private async hasEnded({ tokenHash }: Session): Promise<boolean> {
    return (await this.sessions.expiryOf(tokenHash)) === undefined;
  }
}
