import { Injectable } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { invalidClient, presentedCredentials } from '../authorization-server/client-credentials.js';
import { ClientBlocks } from '../clients/blocks/client-blocks.sql.js';
import type { KnownClient } from '../clients/client-metadata.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { resourceOf } from '../grant/grant.js';
import { invalidRequest, OAUTH_PATHS, OAuthError } from '../oauth-endpoints.js';
import { callProvider, providerError, type ProviderResponse } from '../provider/provider-call.js';
import { ProvidersService } from '../provider/providers.service.js';
import { TokenReplayService } from './token-replay.service.js';
import {
  type GrantStanding,
  isOf,
  type PresentedToken,
  Redemption,
  SqlTokenStore,
} from './token.store.js';

type Answer = Pick<ProviderResponse, 'context'>;

/** The security event of a token response: a code exchange or a refresh. */
export function eventOfIssue({ context }: Answer, origin: string): SecurityEvent | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshed } = context.oidc.entities;
  if (code) return { type: 'code-exchanged', ...grantOf(code), origin };
  return refreshed && { type: 'token-refreshed', ...grantOf(refreshed), origin };
}

/** The security event of a revocation; undefined when it had no effect (RFC 7009 §2.2). */
export function eventOfRevocation({ context }: Answer, origin: string): SecurityEvent | undefined {
  const { AccessToken, RefreshToken, Client } = context.oidc.entities;
  const token = AccessToken ?? RefreshToken;
  if (!token || token.clientId !== Client?.clientId) return undefined;
  return { type: 'token-revoked', ...grantOf(token), origin };
}

interface Token {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
}

const grantOf = ({ accountId = '', clientId = '', grantId = '' }: Token) => ({
  userId: accountId,
  clientId,
  grantId,
});

/** Finds the client of a token request. The library verifies its credentials. */
@Injectable()
export class TokenClientsService {
  constructor(
    private readonly clients: ClientsService,
    private readonly tokens: SqlTokenStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * The library accepts a secret in the body in place of one in the header. This method requires the registered
   * authentication method, and its error names that method. `found` saves the lookup when it is the client in
   * question. Throws OAuthError 401.
   */
  async get(
    origin: string,
    form: URLSearchParams,
    authorization: string | undefined,
    found?: KnownClient,
  ): Promise<KnownClient> {
    const { clientId, method } = presentedCredentials(form, authorization);
    const client = found?.client_id === clientId ? found : await this.known(clientId, form);
    if (client?.token_endpoint_auth_method === method) return client;
    const description = client
      ? `the client is registered for ${client.token_endpoint_auth_method}, not ${method}`
      : 'unknown client; it has to ask its user for consent again';
    this.tellRefused(origin, description, client);
    throw invalidClient(description, authorization !== undefined);
  }

  /** Called before the client is given tokens. */
  async touch({ client_id: id }: KnownClient): Promise<void> {
    await this.clients.touch(id);
  }

  /** An unknown client id is not part of the event: it is unverified input of the caller. */
  tellRefused(origin: string, detail: string, client?: KnownClient) {
    const known = client && { clientId: client.client_id };
    const type = 'client-authentication-failed';
    this.events.emit({ type, userId: null, ...known, origin, detail });
  }

  /**
   * Undefined for every cause of an unknown client. Fetches a document only when the caller presents a code or
   * token that was issued to the client: no other caller can make this service contact a host and learn from the
   * response or its timing what is there. The document of such a client was available before, so a transient
   * failure is 503 and not 401: clients take 401 as the end of their grant.
   */
  private async known(clientId: string, form: URLSearchParams) {
    const mayFetch = () => this.presentsWhatWasGivenTo(clientId, form);
    try {
      return await this.clients.find(clientId, { forRefresh: true, mayFetch });
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      if (!error.transient) return undefined;
      const description = 'the client document cannot be had right now; try again';
      throw new OAuthError(503, 'temporarily_unavailable', description, { 'Retry-After': '30' });
    }
  }

  private async presentsWhatWasGivenTo(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? form.get('token');
    return presented !== null && this.tokens.wasGivenTo(clientId, presented);
  }
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Call {
  readonly target: string;
  readonly client: KnownClient;
  readonly redemption?: Redemption | undefined;
}

interface Asked {
  readonly origin: string;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
  /** The presented code or refresh token. `presented` is its stored record. */
  readonly value: string;
  readonly presented: PresentedToken | undefined;
}

/** Exchanges, refreshes and revokes with the library, after the checks that it makes too late or not at all. */
@Injectable()
export class TokensService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: TokenClientsService,
    private readonly blocks: ClientBlocks,
    private readonly replays: TokenReplayService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Returns a token response (RFC 6749 §5.1). Throws OAuthError for every refusal. */
  async issue(origin: string, form: URLSearchParams, authorization: string | undefined) {
    const value = presentedIn(form);
    const presented = await this.replays.find(value);
    const client = await this.clients.get(origin, form, authorization, presented?.client);
    try {
      return await this.issueTo(client, { origin, form, authorization, value, presented });
    } catch (error) {
      this.tellRefused(error, client, origin);
      throw error;
    }
  }

  private async issueTo(client: KnownClient, asked: Asked) {
    const { origin, form, authorization, value, presented } = asked;
    const standing = presented ?? (await this.replays.findReplaced(value));
    await this.expectStanding(client.client_id, standing);
    if (form.get('grant_type') === 'authorization_code') completeExchange(form, origin, presented);
    const redemption = presented && new Redemption(presented);
    const call = { target: OAUTH_PATHS.token, client, redemption };
    const issued = await this.ask(call, origin, form, authorization);
    if (!redemption?.isUsed) throw invalidGrant();
    await this.clients.touch(client);
    // Nothing that can fail may follow: the code would be used up, and the client's retry would be a replay.
    if (!(await this.replays.redeem(redemption))) throw invalidGrant();
    this.tell(eventOfIssue(issued, origin));
    return { ...(issued.body as object), resource: resourceOf(origin) };
  }

  /** Succeeds without effect for tokens that are unknown or belong to another client (RFC 7009 §2.2). */
  async revoke(origin: string, form: URLSearchParams, authorization: string | undefined) {
    const client = await this.clients.get(origin, form, authorization);
    const call = { target: OAUTH_PATHS.revoke, client };
    this.tell(eventOfRevocation(await this.ask(call, origin, form, authorization), origin));
  }

  private async ask(call: Call, origin: string, form: URLSearchParams, authorization?: string) {
    const answer = await callProvider(this.providers.forOrigin(origin), {
      ...call,
      method: 'POST',
      headers: { 'content-type': FORM_TYPE, ...(authorization ? { authorization } : {}) },
      body: form.toString(),
    });
    if (answer.status === 401) {
      this.clients.tellRefused(origin, 'its secret or assertion does not fit', call.client);
    }
    if (answer.status !== 200) throw providerError(answer, authorization !== undefined);
    return answer;
  }

  /** Emits an event when a known client is refused tokens; a 401 has its own event already. */
  private tellRefused(error: unknown, { client_id: clientId }: KnownClient, origin: string) {
    if (!(error instanceof OAuthError) || error.status !== 400) return;
    const detail = `${error.error}: ${error.message}`;
    this.events.emit({ type: 'token-refused', userId: null, clientId, origin, detail });
  }

  private tell(event: SecurityEvent | undefined) {
    if (event) this.events.emit(event);
  }

  /** Uses up and revokes nothing: a disabled account may be enabled and a blocked client unblocked later. */
  private async expectStanding(clientId: string, standing?: GrantStanding) {
    const own = standing?.grant.clientId === clientId ? standing : undefined;
    if (own?.isClientBlocked ?? (await this.blocks.has('client', clientId))) {
      throw new OAuthError(400, 'unauthorized_client', 'this service does not let the client in');
    }
    if (own?.isUserDisabled) throw new OAuthError(400, 'invalid_grant', 'the account is disabled');
  }
}

/** The code or refresh token that the library uses for this grant type; it ignores the other one. */
const presentedIn = (form: URLSearchParams) =>
  form.get(form.get('grant_type') === 'authorization_code' ? 'code' : 'refresh_token') ?? '';

/** OAuth 2.1 clients omit `redirect_uri`, but the library requires it, so this fills in the stored one. */
function completeExchange(form: URLSearchParams, origin: string, presented?: PresentedToken) {
  if (!form.has('code_verifier')) throw invalidRequest('code_verifier is missing');
  if (!form.has('code') || form.has('redirect_uri')) return;
  const code = presented && isOf(presented, 'AuthorizationCode', origin) ? presented : undefined;
  form.set('redirect_uri', String(code?.payload['redirectUri'] ?? 'about:blank'));
}

/** The library's own error for an invalid code or refresh token. */
const invalidGrant = () => new OAuthError(400, 'invalid_grant', 'grant request is invalid');
