import { Injectable } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import type { KnownClient } from '../clients/client-metadata.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { SqlTokenStore } from '../grants/token-store.sql.js';
import { OAuthError } from '../oauth.error.js';
import { invalidClient, presentedCredentials } from './client-credentials.js';

/** Which client a token request comes from. Whether it proves that, the library decides. */
@Injectable()
export class TokenClientsService {
  constructor(
    private readonly clients: ClientsService,
    private readonly tokens: SqlTokenStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * The library takes a secret in the body for one in the header; here the registration decides, and a client
   * is told which method it registered. `found` is looked at first. Throws OAuthError 401.
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

  /** The client is about to be given tokens. */
  async touch({ client_id: id }: KnownClient): Promise<void> {
    await this.clients.touch(id);
  }

  /** A client id that nobody has is not told: it is the caller's own words. */
  tellRefused(origin: string, detail: string, client?: KnownClient) {
    const known = client && { clientId: client.client_id };
    const type = 'client-authentication-failed';
    this.events.emit({ type, userId: null, ...known, origin, detail });
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

  private async presentsWhatWasGivenTo(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? form.get('token');
    return presented !== null && this.tokens.wasGivenTo(clientId, presented);
  }
}
