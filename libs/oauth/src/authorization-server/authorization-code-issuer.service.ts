import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors } from 'oidc-provider';
import type { Session } from '#libs/accounts';
import { publishedBy } from '../client/client.js';
import { ClientDocumentError } from '../client-document/client-document.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import { redirectHostOf } from '../client/redirect-uri.js';
import { ClientsService } from '../client/client.service.js';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { prepareCode } from '../oidc-provider/prepared-code.adapter.js';
import { ProvidersService } from '../oidc-provider/providers.service.js';
import { authorizeRefusal } from './authorize-refusals.js';
import { ConsentApprovals, type NewGrant } from './consent-approvals.sql.js';

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
    private readonly blocks: ClientBlockStore,
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
      const isBlocked = await this.blocks.isBlocked(grant.clientId, grant.redirectHost);
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
