import { builtInPageLanguages } from '#libs/ui-templates';
import { resourceOf } from '../grant/grant.js';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
} from '../clients/client-authentication.js';
import type { OAuthOptions } from '../oauth.module-definition.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';

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
