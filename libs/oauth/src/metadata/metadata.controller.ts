import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  NotFoundException,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowRoutedMethods, ownOriginOf } from '#libs/accounts';
import { builtInPageLanguages } from '#libs/ui-templates';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
} from '../client/client-authentication.js';
import { MACHINE_GRANT_TYPE } from '../client/client.js';
import { hasIntrospection } from '../introspection/resource-server.guard.js';
import { ID_JAG_PROFILE } from '../managed-access/managed-access.service.js';
import { JWT_BEARER } from '../provider/provider-configuration.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { metadataUrl, type Resource, ResourcesService } from '../resource/resource.js';
import { scopeNames } from '../scope.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';

/** The metadata documents of one issuer, our own (contract, Discovery); one slash at the end makes no difference. */
@Controller()
@AllowRoutedMethods({ also: ['HEAD', 'OPTIONS'] })
export class MetadataController {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly keys: SigningKeysService,
    private readonly resources: ResourcesService,
  ) {}

  /** Protected resource metadata (RFC 9728 §2): tells a refused client which server issues tokens. */
  @Get('.well-known/oauth-protected-resource/svc/mcp{/}')
  protectedResource(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    response.json(resourceMetadata(origin, this.resources.defaultOf(origin)));
  }

  /** Authorization server metadata (RFC 8414 §2). */
  @Get('.well-known/oauth-authorization-server{/}')
  authorizationServer(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    const {
      registration = true,
      machineClients,
      trustedIssuers,
      languages = builtInPageLanguages,
    } = this.options;
    response.json({
      issuer: origin,
      authorization_endpoint: origin + OAUTH_PATHS.authorize,
      token_endpoint: origin + OAUTH_PATHS.token,
      ...(registration ? { registration_endpoint: origin + OAUTH_PATHS.register } : {}),
      revocation_endpoint: origin + OAUTH_PATHS.token,
      ...(this.keys.signer() ? { jwks_uri: origin + OAUTH_PATHS.jwks } : {}),
      protected_resources: this.resources.all(origin).map(({ resource }) => resource),
      scopes_supported: scopeNames(this.resources.scopesOf(origin)),
      ui_locales_supported: languages.languages.map(({ tag }) => tag),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        ...(machineClients ? [MACHINE_GRANT_TYPE] : []),
        ...(trustedIssuers ? [JWT_BEARER] : []),
      ],
      ...(trustedIssuers ? { authorization_grant_profiles_supported: [ID_JAG_PROFILE] } : {}),
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      ...(hasIntrospection(this.resources.all(origin)) ? introspectionAt(origin) : {}),
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  }
}

const introspectionAt = (origin: string) => ({
  introspection_endpoint: origin + OAUTH_PATHS.introspect,
  introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
});

/** The further resource of the request's origin whose metadata is at its address. */
function describedAt(request: Request, resources: ResourcesService): Resource | undefined {
  const { origin } = ownOriginOf(request);
  const [, ...further] = resources.all(origin);
  const at = (path: string) => further.find((one) => metadataUrl(one) === origin + path);
  // A query is part of few identifiers; elsewhere it makes no difference.
  return at(request.originalUrl) ?? at(request.path) ?? at(request.path.replace(/\/$/, ''));
}

/** Refuses what is the address of no metadata: 404, whatever the method. */
@Injectable()
class DescribedResourceGuard implements CanActivate {
  constructor(private readonly resources: ResourcesService) {}

  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Request>();
    if (describedAt(request, this.resources)) return true;
    throw new NotFoundException();
  }
}

/** The metadata of the further resources on origins of the service; only where there is one. */
@Controller()
@AllowRoutedMethods({ also: ['HEAD', 'OPTIONS'] })
@UseGuards(DescribedResourceGuard)
export class ResourceMetadataController {
  constructor(private readonly resources: ResourcesService) {}

  /** Protected resource metadata (RFC 9728 §3.1), at its own path for each resource; of others their servers have it. */
  @Get('.well-known/oauth-protected-resource{/*path}')
  protectedResource(@Req() request: Request, @Res() response: Response) {
    const described = describedAt(request, this.resources);
    if (described) response.json(resourceMetadata(ownOriginOf(request).origin, described));
  }
}

const resourceMetadata = (origin: string, { resource, name, scopes }: Resource) => ({
  resource,
  authorization_servers: [origin],
  scopes_supported: scopeNames(scopes),
  bearer_methods_supported: ['header'],
  resource_name: name,
});
