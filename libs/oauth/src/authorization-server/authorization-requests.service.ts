import { Inject, Injectable, Logger } from '@nestjs/common';
import { appName } from '../clients/app-name.js';
import { ClientPolicy } from '../clients/client-policy.js';
import { ClientsService } from '../clients/clients.service.js';
import { ClientDocumentError } from '../clients/documents/client-document.error.js';
import { resourceOf } from '../grants/grant.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeWords } from '../scopes/scope.js';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { callProvider, type ProviderResponse } from '../oidc-provider/provider-call.adapter.js';
import { OAUTH_PATHS } from '../oauth-paths.js';
import { ProvidersService } from '../oidc-provider/providers.service.js';
import { cleanAuthorizationQuery, namesScopes } from './authorization-query.js';
import { isOwnResource } from './resource-indicator.js';

/** An authorization request is valid, an error for the client, or one for the person. */
export type ValidationResult =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'refused'; readonly description: string };

/** Has the library validate authorization requests; nothing is stored for them. */
@Injectable()
export class AuthorizationRequestsService {
  private readonly logger = new Logger(AuthorizationRequestsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly policy: ClientPolicy,
  ) {}

  async validate(origin: string, query: URLSearchParams): Promise<ValidationResult> {
    const supported = this.options.scopes.map(({ name }) => name);
    const cleaned = cleanAuthorizationQuery(query, supported);
    restrictResponseMode(cleaned);
    canonicaliseResources(cleaned, origin);
    if (isAmbiguous(cleaned)) return refused('client_id and redirect_uri must be given once');
    const result = await this.ask(origin, cleaned);
    if (result.kind !== 'valid') return result;
    const refusal = await this.refusalOf(result.request);
    if (refusal !== undefined) return refused(refusal);
    if (namesScopes(query)) return result;
    return { kind: 'valid', request: { ...result.request, scopes: undefined } };
  }

  private async refusalOf({ clientId }: AuthorizationRequest): Promise<string | undefined> {
    const client = await this.clients.find(clientId);
    return client ? this.policy.refusalOf(client) : 'unknown OAuth client';
  }

  private async ask(origin: string, query: URLSearchParams): Promise<ValidationResult> {
    const answer = await this.callLibrary(origin, query);
    if (answer instanceof ClientDocumentError) return refused('the app could not be verified');
    if (answer.context.oidc.entities.Interaction) return valid(answer, origin);
    if (answer.location !== undefined) return toClient(answer.location);
    const { error, error_description: description = 'the request is invalid' } = answer.body as {
      error?: string;
      error_description?: string;
    };
    return refused(error === 'invalid_client' ? 'unknown OAuth client' : description);
  }

  private async callLibrary(origin: string, query: URLSearchParams) {
    try {
      return await callProvider(this.providers.forOrigin(origin), {
        method: 'GET',
        target: `${OAUTH_PATHS.authorize}?${query}`,
      });
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      this.logger.warn(`a client was refused: ${error.message}`);
      return error;
    }
  }
}

const refused = (description: string): ValidationResult => ({ kind: 'refused', description });

/** Then nobody can tell whom an error would have to go to. */
const isAmbiguous = (query: URLSearchParams) =>
  query.getAll('client_id').length > 1 || query.getAll('redirect_uri').length > 1;

function valid({ context }: ProviderResponse, origin: string): ValidationResult {
  const { entities } = context.oidc;
  const params = entities.Interaction?.params as Record<string, string | undefined>;
  const clientId = params['client_id'] ?? '';
  return {
    kind: 'valid',
    request: {
      clientId,
      app: appName({ clientId, clientName: entities.Client?.clientName }),
      redirectUri: params['redirect_uri'] ?? '',
      scopes: scopeWords(params['scope']),
      state: params['state'],
      resource: resourceOf(origin),
      codeChallenge: params['code_challenge'] ?? '',
    },
  };
}

/** Some errors would come in the fragment; this server has the response mode `query` and no other. */
const toClient = (location: string): ValidationResult => {
  const target = new URL(location);
  for (const [name, value] of new URLSearchParams(target.hash.slice(1))) {
    target.searchParams.set(name, value);
  }
  target.hash = '';
  return { kind: 'redirect', location: target.href };
};

/** A mode the library knows but this server does not offer becomes one that nobody knows. */
function restrictResponseMode(query: URLSearchParams) {
  const modes = query.getAll('response_mode');
  if (modes.length === 1 && modes[0] !== 'query') query.set('response_mode', 'unsupported');
}

/** The library compares resource indicators letter by letter, so our own one gets our own spelling. */
function canonicaliseResources(query: URLSearchParams, origin: string) {
  const asked = query.getAll('resource');
  if (asked.length === 0) return;
  const spelt = asked.map((one) => (isOwnResource(one, origin) ? resourceOf(origin) : one));
  query.delete('resource');
  for (const one of new Set(spelt)) query.append('resource', one);
}
