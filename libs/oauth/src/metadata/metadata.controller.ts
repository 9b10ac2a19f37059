import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf } from '#libs/accounts';
import { builtInPageLanguages } from '#libs/ui-templates';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
} from '../client/client-authentication.js';
import { MACHINE_GRANT_TYPE } from '../client/client.js';
import { resourceOf } from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeNames } from '../scope.js';

/** The metadata documents of one origin, which is their issuer: our own, not the library's (contract, Discovery). */
@Controller()
export class MetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  /** Protected resource metadata (RFC 9728 §2): tells a refused client which server issues tokens. */
  @All('.well-known/oauth-protected-resource/svc/mcp')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  protectedResource(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    response.json({
      resource: resourceOf(origin),
      authorization_servers: [origin],
      scopes_supported: scopeNames(this.options.scopes),
      bearer_methods_supported: ['header'],
      resource_name: this.options.serviceName,
    });
  }

  /** Authorization server metadata (RFC 8414 §2). */
  @All('.well-known/oauth-authorization-server')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  authorizationServer(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    const {
      scopes,
      registration = true,
      machineClients,
      languages = builtInPageLanguages,
    } = this.options;
    response.json({
      issuer: origin,
      authorization_endpoint: origin + OAUTH_PATHS.authorize,
      token_endpoint: origin + OAUTH_PATHS.token,
      ...(registration ? { registration_endpoint: origin + OAUTH_PATHS.register } : {}),
      revocation_endpoint: origin + OAUTH_PATHS.token,
      protected_resources: [resourceOf(origin)],
      scopes_supported: scopeNames(scopes),
      ui_locales_supported: languages.languages.map(({ tag }) => tag),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        ...(machineClients ? [MACHINE_GRANT_TYPE] : []),
      ],
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  }
}
