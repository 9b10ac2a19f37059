import { Injectable } from '@nestjs/common';
import { errors } from 'oidc-provider';
import type { User } from '#libs/accounts';
import { publishedBy } from '../clients/app-name.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { ClientBlocks } from '../clients/blocks/client-blocks.sql.js';
import { redirectHostOf } from '../clients/redirect-uri.js';
import { ClientsService } from '../clients/clients.service.js';
import { GrantsService } from '../grants/grants.service.js';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { ProvidersService } from '../oidc-provider/providers.service.js';
import { authorizeRefusal } from './authorize-refusals.js';

/** A new grant, and the code that is exchanged for its tokens. */
interface IssuedCode {
  readonly code: string;
  readonly grantId: string;
}

/** Begins a grant and has the library issue the code for it. */
@Injectable()
export class AuthorizationCodeIssuerService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly grants: GrantsService,
    private readonly blocks: ClientBlocks,
  ) {}

  /**
   * The code and the id of a new grant of the chosen scopes, which may be more or fewer than were asked for.
   * Throws RefusalError 400 when the client cannot be had any more or changed its redirect URIs, or when
   * another consent or a disconnection overtook this one, and 401 when the account went meanwhile.
   */
  async issue(
    origin: string,
    request: AuthorizationRequest,
    user: User,
    scopes: readonly string[],
  ): Promise<IssuedCode> {
    try {
      return await this.issueCode(origin, request, user, scopes);
    } catch (error) {
      throw forPeople(error);
    }
  }

  /**
   * The answer counts: the grant takes the place of older ones, whose ids are returned, and its client
   * is in use.
   */
  async complete(grantId: string, clientId: string): Promise<string[]> {
    const replaced = await this.grants.replaceOlder(grantId);
    await this.clients.touch(clientId);
    return replaced;
  }

  /** The answer does not count: nothing is left of its grant and code, which nobody was told. */
  async discard(grantId: string): Promise<void> {
    await this.grants.discard(grantId);
  }

  /**
   * The client is read again, although the request was valid once: the consent form may have waited
   * for minutes, in which the client may have gone or changed its redirect URIs.
   */
  private async issueCode(
    origin: string,
    { app, clientId, redirectUri, resource, codeChallenge }: AuthorizationRequest,
    user: User,
    scopes: readonly string[],
  ) {
    const provider = this.providers.forOrigin(origin);
    const client = await provider.Client.find(clientId);
    if (!client) throw authorizeRefusal('clientGone');
    if (!client.redirectUriAllowed(redirectUri)) throw authorizeRefusal('clientChanged');
    const scope = scopes.join(' ');
    const redirectHost = redirectHostOf(redirectUri);
    if (await this.blocks.keepsOut(clientId, redirectHost)) throw authorizeRefusal('blocked');
    const published = publishedBy(clientId);
    const about = { userId: user.id, clientId, origin, scope, app, redirectHost, published };
    const grantId = await this.grants.begin(about);
    if (grantId === undefined) throw authorizeRefusal('sessionOver');
    const code = new provider.AuthorizationCode({
      accountId: user.id,
      client,
      grantId,
      redirectUri,
      resource,
      scope,
      codeChallenge,
      codeChallengeMethod: 'S256',
    } as never);
    return { code: await code.save(), grantId };
  }
}

function forPeople(error: unknown): unknown {
  if (error instanceof ClientDocumentError || error instanceof errors.InvalidClientMetadata) {
    return authorizeRefusal('unverified', { cause: error });
  }
  if (error instanceof errors.InvalidGrant) return authorizeRefusal('overtaken', { cause: error });
  return error;
}
