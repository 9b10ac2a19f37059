import { Inject, Injectable } from '@nestjs/common';
import { compareSecret, SecurityEventsService } from '#libs/accounts';
import {
  faultOfAssertion,
  invalidClient,
  isMethodAllowed,
  type PresentedCredentials,
  presentedCredentials,
} from '../client/client-authentication.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import type { KnownClient } from '../client/client.js';
import { redirectHostsOf } from '../client/redirect-uri.js';
import { ClientDocumentError } from '../client-document/client-document.js';
import { ClientsService } from '../client-document/clients.service.js';
import { AssertionRefusal } from '../managed-access/identity-assertion.js';
import { ManagedAccessService } from '../managed-access/managed-access.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { OAuthError } from '../oauth-error.js';
import type { CheckedRequest } from '../provider/issue.js';
import { JWT_BEARER } from '../provider/provider-configuration.js';
import type { GrantStatus } from '../token/token.js';
import { TokenStore } from '../token/token.store.js';

export interface TokenRequest extends Omit<CheckedRequest, 'client'> {
  readonly authorization: string | undefined;
}

/** The clients of token and revocation requests: identifies them, refuses those that are blocked, reports refusals. */
@Injectable()
export class TokenClientsService {
  constructor(
    readonly known: ClientsService,
    private readonly blocks: ClientBlockStore,
    private readonly tokens: TokenStore,
    private readonly managedAccess: ManagedAccessService,
    private readonly events: SecurityEventsService,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'machineClients'>,
  ) {}

  /**
   * The client of a request, which has to use the method that it is registered for, or another one that sends its secret.
   * The library verifies the credentials, which this puts into the form. `known` saves the look-up. Throws OAuthError 401.
   */
  async identify(request: TokenRequest, known?: KnownClient): Promise<KnownClient> {
    const { form, origin, authorization, isBasic } = request;
    const readings = presentedCredentials(form, authorization);
    const { client, presented } = await this.findReading(readings, form, known);
    const refused = (description: string) => {
      this.reportUnauthenticated(origin, description, client);
      return invalidClient(description, isBasic);
    };
    if (!client) throw refused('unknown client; it has to ask its user for consent again');
    const { client_id: clientId, token_endpoint_auth_method: registered } = client;
    const { method, secret } = presented;
    if (!isMethodAllowed(registered, method)) {
      throw refused(`the client is registered for ${registered}, not ${method}`);
    }
    const assertion = form.get('client_assertion');
    const fault = assertion && faultOfAssertion(assertion, { clientId, issuer: origin });
    if (fault) throw refused(fault);
    form.set('client_id', clientId);
    if (secret !== undefined) form.set('client_secret', secret);
    return client;
  }

  /**
   * Throws OAuthError 400 for a blocked client, a disabled account, and a machine client where these are switched off.
   * The code or refresh token stays valid, since an administrator may undo this. `status` has the blocks of the
   * redirect hosts that its grant lists; blocks are read again for a client whose hosts have changed since.
   */
  async expectAllowed(client: KnownClient, status?: GrantStatus): Promise<void> {
    const { client_id: clientId, redirect_uris: uris } = client;
    const ownGrant = status?.grant.clientId === clientId ? status : undefined;
    const hosts = redirectHostsOf(uris);
    const hasCurrentHosts = ownGrant?.grant.clientHosts === JSON.stringify(hosts);
    const isBlocked =
      ownGrant?.isClientBlocked ||
      (!hasCurrentHosts && (await this.blocks.isBlocked(clientId, hosts)));
    if (isBlocked) {
      throw new OAuthError(400, 'unauthorized_client', 'this service does not let the client in');
    }
    if (ownGrant?.isUserDisabled)
      throw new OAuthError(400, 'invalid_grant', 'the account is disabled');
    this.expectSwitchedOn(client);
  }

  /** Throws OAuthError 400: where machine clients are switched off, the library knows none of them. */
  expectSwitchedOn({ machine }: KnownClient): void {
    if (!machine || this.options.machineClients) return;
    throw new OAuthError(400, 'unauthorized_client', 'this service has no machine clients');
  }

  /** Emits an event for a known client whose credentials the library refuses. */
  reportIfUnauthenticated(error: unknown, client: KnownClient, origin: string): void {
    if (!(error instanceof OAuthError) || error.status !== 401) return;
    this.reportUnauthenticated(origin, 'its secret or assertion does not fit', client);
  }

  /** Emits an event for a refused request. `presented`: the status of its code or refresh token, where it is known. */
  reportRefusal(error: unknown, client: KnownClient, origin: string, presented?: GrantStatus) {
    this.reportIfUnauthenticated(error, client, origin);
    if (!(error instanceof OAuthError) || error.status !== 400) return;
    const detail = `${error.error}: ${error.detail}`;
    const isManaged = error instanceof AssertionRefusal;
    const type = isManaged ? 'managed-access-refused' : 'token-refused';
    const userId = isManaged ? error.userId : (presented?.grant.userId ?? null);
    this.events.emit({ type, userId, clientId: client.client_id, origin, detail });
  }

  /** An unknown client id is not part of the event: it is unverified input of the caller. */
  private reportUnauthenticated(origin: string, detail: string, client?: KnownClient) {
    const known = client && { clientId: client.client_id };
    const type = 'client-authentication-failed';
    this.events.emit({ type, userId: null, ...known, origin, detail });
  }

  /** The first reading with a known client and its secret, else the first with a known client, else the first. */
  private async findReading(
    readings: readonly [PresentedCredentials, ...PresentedCredentials[]],
    form: URLSearchParams,
    known?: KnownClient,
  ) {
    let first: { presented: PresentedCredentials; client?: KnownClient } = {
      presented: readings[0],
    };
    for (const presented of readings) {
      const { clientId, secret } = presented;
      const client = known?.client_id === clientId ? known : await this.find(clientId, form);
      if (!client) continue;
      if (!first.client) first = { presented, client };
      if (readings.length === 1) break;
      if (secret !== undefined && compareSecret(secret, client.client_secret ?? '')) {
        return { presented, client };
      }
    }
    return first;
  }

  /**
   * Undefined for an unknown client. Fetches a document only for a code or token issued to it, or a listed client's
   * assertion: no other caller can make this service contact a host and learn what is there. Its document was available
   * before, so a transient failure is 503: clients take 401 as the end of their grant.
   */
  private async find(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? form.get('token');
    const mayFetch = async () =>
      (form.get('grant_type') === JWT_BEARER && this.managedAccess.isListed(clientId)) ||
      (presented !== null && (await this.tokens.wasIssuedTo(clientId, presented)));
    try {
      return await this.known.find(clientId, mayFetch);
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      if (!error.transient) return undefined;
      const description = 'the client document cannot be had right now; try again';
      throw new OAuthError(503, 'temporarily_unavailable', description, { 'Retry-After': '30' });
    }
  }
}
