import { Injectable } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import type { KnownClient } from '../clients/client-metadata.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { SqlTokenStore } from '../token/token.store.js';
import { OAuthError } from '../oauth-endpoints.js';
import { invalidClient, presentedCredentials } from './client-credentials.js';

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
