import { Injectable } from '@nestjs/common';
import { AuthError, type User } from '#libs/accounts';
import { appName, publishedBy } from '../clients/app-name.js';
import { ClientsService } from '../clients/clients.service.js';
import { GrantsService } from '../grants/grants.service.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { ProvidersService } from './providers.service.js';

/** Begins a grant and has the library issue the code for it. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly grants: GrantsService,
  ) {}

  /**
   * The code of a new grant of the chosen scopes, which may be more or fewer than were asked for.
   * Throws AuthError 400 when the client changed so that its redirect URI is gone.
   */
  async approve(
    origin: string,
    { clientId, redirectUri, resource, codeChallenge }: AuthorizationRequest,
    user: User,
    scopes: readonly string[],
  ): Promise<string> {
    const provider = this.providers.forOrigin(origin);
    const client = await provider.Client.find(clientId);
    if (!client?.redirectUriAllowed(redirectUri)) {
      throw new AuthError(400, 'the app changed its registration meanwhile; start again from it');
    }
    const scope = scopes.join(' ');
    const grant = {
      userId: user.id,
      clientId,
      origin,
      scope,
      app: appName({ clientId, clientName: client.clientName }),
      redirectHost: new URL(redirectUri).hostname || null,
      published: publishedBy(clientId),
    };
    const grantId = await this.grants.begin(grant);
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
    const value = await code.save();
    await this.grants.replaceOlder(grantId);
    await this.clients.touch(clientId);
    return value;
  }
}
