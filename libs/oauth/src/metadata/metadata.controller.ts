import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf } from '#libs/accounts';
import { builtInPageLanguages } from '#libs/ui-templates';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
} from '../clients/client-authentication.js';
import { resourceOf } from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { type Scope, scopeNames } from '../scope.js';

/** Authorization server metadata (RFC 8414 §2). */
export const authorizationServerMetadata = (
  issuer: string,
  {
    scopes,
    registration = true,
    languages = builtInPageLanguages,
  }: Pick<OAuthOptions, 'scopes' | 'registration' | 'languages'>,
) => ({
  issuer,
  authorization_endpoint: issuer + OAUTH_PATHS.authorize,
  token_endpoint: issuer + OAUTH_PATHS.token,
  ...(registration ? { registration_endpoint: issuer + OAUTH_PATHS.register } : {}),
  revocation_endpoint: issuer + OAUTH_PATHS.token,
  protected_resources: [resourceOf(issuer)],
  scopes_supported: scopes.map(({ name }) => name),
  ui_locales_supported: languages.languages.map(({ tag }) => tag),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** The protected resource metadata document (RFC 9728 §2) of one origin. */
export const protectedResourceMetadata = (
  origin: string,
  serviceName: string,
  scopes: readonly Scope[],
) => ({
  resource: resourceOf(origin),
  authorization_servers: [origin],
  scopes_supported: scopeNames(scopes),
  bearer_methods_supported: ['header'],
  resource_name: serviceName,
});

/** Authorization server metadata (RFC 8414 §3): our own document, not the library's. */
@Controller()
export class MetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-authorization-server')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  metadata(@Req() request: Request, @Res() response: Response) {
    response.json(authorizationServerMetadata(ownOriginOf(request).origin, this.options));
  }
}

/** Tells a client that was refused which authorization server issues tokens (RFC 9728 §3). */
@Controller()
export class ProtectedResourceMetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-protected-resource/svc/mcp')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  metadata(@Req() request: Request, @Res() response: Response) {
    const { serviceName, scopes } = this.options;
    const { origin } = ownOriginOf(request);
    response.json(protectedResourceMetadata(origin, serviceName, scopes));
  }
}
