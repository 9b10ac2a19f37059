import { Injectable } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import type { KnownClient } from '../clients/client-metadata.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { resourceOf } from '../grants/grant.js';
import { GrantStandings } from './grant-standings.sql.js';
import { SqlTokenStore } from '../grants/token-store.sql.js';
import { OAuthError } from '../oauth.error.js';
import { callProvider } from '../oidc-provider/provider-call.adapter.js';
import { OAUTH_PATHS } from '../oauth-paths.js';
import { ProvidersService } from '../oidc-provider/providers.service.js';
import { invalidClient, presentedCredentials } from './client-credentials.js';
import { providerError } from './provider-error.js';
import { eventOfIssue, eventOfRevocation } from './token-events.js';
import { invalidRequest } from './token-request.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Call {
  readonly target: string;
  readonly client: KnownClient;
}

/** Has the library exchange, refresh and revoke, after the checks that it makes too late or not. */
@Injectable()
export class TokensService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly store: SqlTokenStore,
    private readonly standings: GrantStandings,
    private readonly events: SecurityEventsService,
  ) {}

  /** A token response (RFC 6749 §5.1). Throws OAuthError for everything that is refused. */
  async issue(origin: string, form: URLSearchParams, authorization: string | undefined) {
    const client = await this.expectRegisteredMethod(origin, form, authorization);
    await this.expectStanding(client.client_id, form);
    if (form.get('grant_type') === 'authorization_code') await this.completeExchange(form, origin);
    const call = { target: OAUTH_PATHS.token, client };
    const issued = await this.ask(call, origin, form, authorization);
    this.tell(eventOfIssue(issued, origin));
    await this.clients.touch(client.client_id);
    return { ...(issued.body as object), resource: resourceOf(origin) };
  }

  /** Succeeds for tokens that are unknown or another client's, without effect (RFC 7009 §2.2). */
  async revoke(origin: string, form: URLSearchParams, authorization: string | undefined) {
    const client = await this.expectRegisteredMethod(origin, form, authorization);
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
      this.tellRefused(origin, 'its secret or assertion does not fit', call.client);
    }
    if (answer.status !== 200) throw providerError(answer, authorization !== undefined);
    return answer;
  }

  private tell(event: SecurityEvent | undefined) {
    if (event) this.events.emit(event);
  }

  /** A client id that nobody has is not told: it is the caller's own words. */
  private tellRefused(origin: string, detail: string, client?: KnownClient) {
    const known = client && { clientId: client.client_id };
    const type = 'client-authentication-failed';
    this.events.emit({ type, userId: null, ...known, origin, detail });
  }

  /**
   * The library takes a secret in the body for one in the header; here the registration decides.
   * Returns which client it is.
   */
  private async expectRegisteredMethod(
    origin: string,
    form: URLSearchParams,
    authorization: string | undefined,
  ) {
    const { clientId, method } = presentedCredentials(form, authorization);
    const client = await this.known(clientId, form);
    if (client?.token_endpoint_auth_method === method) return client;
    const description = client
      ? 'the client registered another way to authenticate'
      : 'unknown client; it has to ask its user for consent again';
    this.tellRefused(origin, description, client);
    throw invalidClient(description, authorization !== undefined);
  }

  /**
   * Undefined for every cause of an unknown client. A document is fetched here only for whoever presents
   * what its client was given: nobody else makes this service ask a host, and learns from the answer, or
   * from its time, what there is. So it was held before, and that it cannot be had just now is no end:
   * clients take 401 as the end of what they were given.
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

  /** Nothing is used up or revoked: what is disabled or blocked may come back. */
  private async expectStanding(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? '';
    const { isClientBlocked, isUserDisabled } = await this.standings.of(clientId, presented);
    if (isClientBlocked) {
      throw new OAuthError(400, 'unauthorized_client', 'this service does not let the client in');
    }
    if (isUserDisabled) throw new OAuthError(400, 'invalid_grant', 'the account is disabled');
  }

  private async presentsWhatWasGivenTo(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? form.get('token');
    return presented !== null && this.store.wasGivenTo(clientId, presented);
  }

  /** OAuth 2.1 clients leave `redirect_uri` out; the library wants it, so it gets the stored one. */
  private async completeExchange(form: URLSearchParams, origin: string) {
    if (!form.has('code_verifier')) throw invalidRequest('code_verifier is missing');
    const code = form.get('code');
    if (code === null || form.has('redirect_uri')) return;
    const stored = await this.store.find(code, 'AuthorizationCode', origin);
    form.set('redirect_uri', String(stored?.payload['redirectUri'] ?? 'about:blank'));
  }
}
