import { Inject, Injectable, Logger } from '@nestjs/common';
import type { RefusalError } from '#libs/accounts';
import { appName } from '../clients/app-name.js';
import type { KnownClient } from '../clients/client-metadata.js';
import { ClientPolicy } from '../clients/client-policy.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { lacksAllowedScheme } from '../clients/redirect-uri.js';
import { resourceOf } from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { callProvider, type ProviderResponse } from '../provider/provider-call.js';
import { ClientAdapter } from '../provider/provider-storage.js';
import { ProvidersService } from '../provider/providers.service.js';
import { scopeWords } from '../scope.js';
import {
  type AuthorizationRequest,
  cleanAuthorizationQuery,
  inQuery,
  isAmbiguous,
  namesScopes,
} from './authorization-request.js';
import {
  authorizeRefusal,
  faultyRequest,
  keptOut,
  schemeNotAllowed,
} from './authorize-refusals.js';

/** The request is valid, is answered with an error redirect to the client, or is refused with a text for the user. */
export type ValidationResult =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  | { readonly kind: 'redirect'; readonly location: string }
  | {
      readonly kind: 'refused';
      readonly refusal: RefusalError;
      /** Undefined when the client is unknown. */
      readonly clientId?: string | undefined;
    };

/** Validates authorization requests with the library. It stores nothing and does not check client blocks. */
@Injectable()
export class AuthorizationRequestsService {
  private readonly logger = new Logger(AuthorizationRequestsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly providers: ProvidersService,
    private readonly clients: ClientAdapter,
    private readonly policy: ClientPolicy,
  ) {}

  /** The client policy gets the metadata that the library read, so that both judge the same version. */
  async validate(origin: string, query: URLSearchParams): Promise<ValidationResult> {
    const supported = this.options.scopes.map(({ name }) => name);
    const cleaned = cleanAuthorizationQuery(query, origin, supported);
    if (isAmbiguous(cleaned)) return refused(authorizeRefusal('ambiguous'));
    const response = await this.callLibrary(origin, cleaned);
    if (response === undefined) return refused(authorizeRefusal('unverified'));
    if (!response.context.oidc.entities.Interaction) return this.errorOf(response);
    const client = this.clients.foundFor(response.context);
    if (!client) return refused(authorizeRefusal('unknownClient'));
    const reason = await this.policy.refusalOf(client);
    if (reason !== undefined) return refused(keptOut(reason), client.client_id);
    const request = validRequest(response, origin, client);
    return {
      kind: 'valid',
      request: namesScopes(cleaned) ? request : { ...request, scopes: undefined },
    };
  }

  /** Undefined when the client's document cannot be fetched or is not acceptable. */
  private async callLibrary(origin: string, query: URLSearchParams) {
    try {
      return await callProvider(this.providers.forOrigin(origin), {
        method: 'GET',
        target: `${OAUTH_PATHS.authorize}?${query}`,
      });
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      this.logger.warn(`a client was refused: ${error.message}`);
      return undefined;
    }
  }

  private errorOf(response: ProviderResponse): ValidationResult {
    const uri = this.wayBackNotAllowed(response);
    const clientId = this.clients.foundFor(response.context)?.client_id;
    if (uri === undefined) return errorOf(response, clientId);
    this.logger.warn(`an authorization request was refused: ${schemeNotAllowed(uri)}`);
    return refused(authorizeRefusal('schemeNotAllowed'), clientId);
  }

  /** The redirect URI of the request, when it is registered and its scheme is the only reason to refuse it. */
  private wayBackNotAllowed({ context }: ProviderResponse): string | undefined {
    const uri: unknown = context.oidc.params?.['redirect_uri'];
    const registered = this.clients.foundFor(context)?.redirect_uris ?? [];
    if (typeof uri !== 'string' || !registered.includes(uri)) return undefined;
    return lacksAllowedScheme(uri, this.options.privateUseRedirectSchemes) ? uri : undefined;
  }
}

const refused = (refusal: RefusalError, clientId?: string): ValidationResult => ({
  kind: 'refused',
  refusal,
  clientId,
});

function errorOf({ location, body }: ProviderResponse, clientId?: string): ValidationResult {
  if (location !== undefined) return { kind: 'redirect', location: inQuery(location) };
  const { error, error_description: description = 'the request is invalid' } = body as {
    error?: string;
    error_description?: string;
  };
  if (error === 'invalid_client') return refused(authorizeRefusal('unknownClient'));
  return refused(faultyRequest(description), clientId);
}

function validRequest(
  { context }: ProviderResponse,
  origin: string,
  client: KnownClient,
): AuthorizationRequest {
  const { entities } = context.oidc;
  const params = entities.Interaction?.params as Record<string, string | undefined>;
  const clientId = params['client_id'] ?? '';
  return {
    clientId,
    app: appName({ clientId, clientName: entities.Client?.clientName }),
    registeredAt: client.client_id_issued_at,
    redirectUri: params['redirect_uri'] ?? '',
    scopes: scopeWords(params['scope']),
    state: params['state'],
    resource: resourceOf(origin),
    codeChallenge: params['code_challenge'] ?? '',
  };
}
