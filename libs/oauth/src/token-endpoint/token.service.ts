import { Injectable } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import type { MachineLimits } from '../client/client.js';
import { ManagedAccessService } from '../managed-access/managed-access.service.js';
import { invalidRequest } from '../oauth-error.js';
import {
  type CheckedRequest,
  invalidGrant,
  issueToMachine,
  issueTokens,
  revokeToken,
} from '../provider/issue.js';
import { JWT_BEARER } from '../provider/provider-configuration.js';
import { ProvidersService } from '../provider/providers.service.js';
import { ReuseDetectionService } from '../token/reuse-detection.service.js';
import type { LookedUpToken } from '../token/token.js';
import { TokenStore } from '../token/token.store.js';
import { TokenClientsService, type TokenRequest } from './token-clients.service.js';

/** The steps of the token and revocation endpoints. The library validates and issues; provider/issue.ts calls it. */
@Injectable()
export class TokenService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: TokenClientsService,
    private readonly tokens: TokenStore,
    private readonly reuse: ReuseDetectionService,
    private readonly managedAccess: ManagedAccessService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Returns a token response (RFC 6749 §5.1) with `resource`. Throws OAuthError for every refusal. */
  async issue(request: TokenRequest): Promise<object> {
    const { form, origin } = request;
    // 1. Read the code or refresh token with its grant, user and client, in one statement.
    const isExchange = form.get('grant_type') === 'authorization_code';
    const value = form.get(isExchange ? 'code' : 'refresh_token') ?? '';
    const token = value === '' ? undefined : await this.tokens.findPresented(value);
    // 2. The client uses its registered way of authentication (RFC 6749 §2.3).
    const client = await this.clients.identify(request, token?.client);
    const isUnknown = !token && !isExchange && value !== '';
    const replaced = isUnknown ? await this.tokens.findReplaced(value) : undefined;
    try {
      const checked = { ...request, client };
      if (client.machine) return await this.issueToMachine(checked, client.machine);
      // 3. No administrator disabled the account or blocked the client.
      await this.clients.expectAllowed(client, token ?? replaced);
      if (this.managedAccess.isOffered && form.get('grant_type') === JWT_BEARER) {
        const response = await this.managedAccess.issue(checked);
        // The token is written: only what never rejects may follow.
        await this.clients.known.keepDocument(client.client_id);
        return response;
      }
      return await this.redeem(checked, { value, token, isReplaced: Boolean(replaced) });
    } catch (error) {
      this.clients.reportRefusal(error, client, origin, token ?? replaced);
      throw error;
    }
  }

  /** Exchanges a code (RFC 6749 §4.1.3) or refreshes (§6). */
  private async redeem(request: CheckedRequest, lookedUp: LookedUpToken) {
    const { client, form, origin } = request;
    const isExchange = form.get('grant_type') === 'authorization_code';
    if (isExchange && !form.has('code_verifier')) throw invalidRequest('code_verifier is missing');
    // 4. The library verifies credentials, code or refresh token, verifier, redirect URI and scope, and issues.
    // The policy is asked with what it verified, and uses up nothing.
    const issued = await issueTokens(this.providers, request, lookedUp, (scopes) =>
      this.providers.access.forToken(lookedUp, isExchange ? 'code' : 'refresh', scopes),
    );
    // 5. Write everything at once. Nothing that can fail may follow: the code or refresh token would be used up, and
    // the client's retry would be a replay.
    await this.clients.known.keepDocument(client.client_id);
    if (!(await this.reuse.redeem(issued))) throw invalidGrant();
    const { id: grantId, userId, clientId } = issued.presented.grant;
    const type = isExchange ? 'code-exchanged' : 'token-refreshed';
    this.events.emit({ type, userId, clientId, grantId, origin });
    return issued.response;
  }

  /** An access token for a machine client, without a refresh token (RFC 6749 §4.4.3). It has no other grant. */
  private async issueToMachine(request: CheckedRequest, limits: MachineLimits): Promise<object> {
    const { origin, client } = request;
    this.clients.expectSwitchedOn(client);
    // 3. The library verifies credentials, resource and scope, and stores the token of a client that is not blocked.
    const response = await issueToMachine(this.providers, request, limits).catch(
      async (error: unknown) => {
        await this.clients.expectAllowed(client);
        throw error;
      },
    );
    const about = { userId: null, clientId: client.client_id, origin };
    this.events.emit({ type: 'machine-token-issued', ...about });
    return response;
  }

  /** Revokes a token (RFC 7009). Succeeds without effect for one that is unknown or another client's (§2.2). */
  async revoke(request: TokenRequest): Promise<void> {
    const { origin } = request;
    // 1. The client uses its registered way of authentication (RFC 6749 §2.3).
    const client = await this.clients.identify(request);
    this.clients.expectSwitchedOn(client);
    // 2. The library verifies its credentials, and revokes the token: of a refresh token the whole grant.
    const checked = { ...request, client };
    const revoked = await revokeToken(this.providers, checked).catch((error: unknown) => {
      this.clients.reportIfUnauthenticated(error, client, origin);
      throw error;
    });
    if (revoked) this.events.emit({ type: 'token-revoked', ...revoked, origin });
  }
}
