import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FreshnessService, RefusalError, type Session } from '#libs/accounts';
import { appName, type KnownClient } from '../client/client.js';
import { ClientPolicy } from '../client/client-policy.js';
import { ClientDocumentError } from '../client-document/client-document.js';
import { lacksAllowedScheme, redirectHostsOf } from '../client/redirect-uri.js';
import type { AuthorizationRequest } from '../consent/consent.store.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { callProvider, type ErrorBody, type ProviderResponse } from '../provider/provider-call.js';
import { ProvidersService } from '../provider/providers.service.js';
import { resourceOf, ResourcesService } from '../resource/resource.js';
import { scopeWords } from '../scope.js';
import {
  cleanAuthorizationQuery,
  inQuery,
  isAmbiguous,
  isCut,
  namesScopes,
} from './authorization-request.js';
import {
  asCut,
  authorizeRefusal,
  faultyRequest,
  clientNotAllowed,
  schemeNotAllowed,
} from './authorize-refusals.js';

/** The request is valid, is answered with an error redirect to the client, or is refused with a text for the user. */
type ValidationResult =
  | {
      readonly kind: 'valid';
      readonly request: AuthorizationRequest;
      readonly redirectHosts: readonly string[];
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly clientId?: string | undefined }
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
    private readonly policy: ClientPolicy,
    private readonly resources: ResourcesService,
    private readonly freshness: FreshnessService,
  ) {}

  /**
   * Whether a session may begin a consent: with approvals by passkey, one that is fresh. A script of the site, which
   * can press the button of the form, would else connect an app that may do what others are asked about. `manager` as
   * of `FreshnessService.expect`.
   */
  async mayConsent(session: Session, manager?: EntityManager): Promise<boolean> {
    if (this.options.approvals !== 'passkey') return true;
    try {
      await this.freshness.expect(session, undefined, manager);
      return true;
    } catch (error) {
      if (error instanceof RefusalError) return false;
      throw error;
    }
  }

  async validate(origin: string, query: URLSearchParams): Promise<ValidationResult> {
    const cleaned = cleanAuthorizationQuery(query, origin, this.resources);
    const result = await this.judge(origin, cleaned);
    if (result.kind !== 'refused' || !isCut(cleaned)) return result;
    return { ...result, refusal: asCut(result.refusal) };
  }

  /** The client policy gets the metadata that the library read, so that both judge the same version. */
  private async judge(origin: string, cleaned: URLSearchParams): Promise<ValidationResult> {
    if (isAmbiguous(cleaned)) return refused(authorizeRefusal('ambiguous'));
    const response = await this.callLibrary(origin, cleaned);
    if (response === undefined) return refused(authorizeRefusal('unverified'));
    const { client } = response;
    if (!response.context.oidc.entities.Interaction) return this.errorOf(response);
    if (!client) return refused(authorizeRefusal('unknownClient'));
    const reason = await this.policy.refusalOf(client);
    if (reason !== undefined) return refused(clientNotAllowed(reason), client.client_id);
    const request = validRequest(response, origin, client, namesScopes(cleaned));
    return { kind: 'valid', request, redirectHosts: redirectHostsOf(client.redirect_uris) };
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

  private errorOf({ client, context, location, body }: ProviderResponse): ValidationResult {
    const clientId = client?.client_id;
    // A registered redirect URI can be refused only for its scheme.
    const uri: unknown = context.oidc.params?.['redirect_uri'];
    const isRegistered = typeof uri === 'string' && client?.redirect_uris?.includes(uri);
    if (isRegistered && lacksAllowedScheme(uri, this.options.privateUseRedirectSchemes)) {
      this.logger.warn(`an authorization request was refused: ${schemeNotAllowed(uri)}`);
      return refused(authorizeRefusal('schemeNotAllowed'), clientId);
    }
    if (location !== undefined) return { kind: 'redirect', location: inQuery(location), clientId };
    const { error, error_description: description = 'the request is invalid' } = body as ErrorBody;
    if (error === 'invalid_client') return refused(authorizeRefusal('unknownClient'));
    return refused(faultyRequest(description), clientId);
  }
}

const refused = (refusal: RefusalError, clientId?: string): ValidationResult => ({
  kind: 'refused',
  refusal,
  clientId,
});

function validRequest(
  { context }: ProviderResponse,
  origin: string,
  client: KnownClient,
  hasScopes: boolean,
): AuthorizationRequest {
  const { entities } = context.oidc;
  const params = entities.Interaction?.params as Record<string, string | undefined>;
  const clientId = params['client_id'] ?? '';
  return {
    clientId,
    app: appName({ clientId, clientName: entities.Client?.clientName }),
    registeredAt: client.client_id_issued_at,
    redirectUri: params['redirect_uri'] ?? '',
    scopes: hasScopes ? scopeWords(params['scope']) : undefined,
    state: params['state'],
    resource: params['resource'] ?? resourceOf(origin),
    codeChallenge: params['code_challenge'] ?? '',
  };
}
