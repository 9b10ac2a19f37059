export { AuthorizationPages, BuiltInAuthorizationPages } from './authorize/authorization-pages.js';
export {
  ClientDocumentCache,
  InProcessClientDocumentCache,
} from './client-document/client-document-cache.js';
export { RedisClientDocumentCache } from './client-document/client-document-cache.redis.js';
export { ClientBlockStore } from './client/client-block.store.js';
export {
  CLIENT_AUTH_CHOICES,
  ClientCredentialsService,
  type NewClient,
  type NewMachineClient,
} from './client/client-credentials.service.js';
export { ClientPolicy, type PolicyClient } from './client/client-policy.js';
export { isDocumentUrl, isPossibleDocumentUrl, MACHINE_AUTH_CHOICES } from './client/client.js';
export { ClientStore, type ClientRecord } from './client/client.store.js';
export { normalRedirectHost, redirectHostOf } from './client/redirect-uri.js';
export { cors } from './cors.middleware.js';
export type { GrantEntity } from './grant/grant.entity.js';
export { GrantStore } from './grant/grant.store.js';
export { IssuerKeysService, KeysUnavailableError } from './managed-access/issuer-keys.service.js';
export type { TrustedIssuer } from './managed-access/trusted-issuer.js';
export { oauthMigrations } from './migrations/oauth-migrations.js';
export { oauthErrorBody } from './oauth-endpoints.js';
export { OAUTH_OPTIONS, type OAuthOptions } from './oauth.module-definition.js';
export { OAuthAdministrationModule, OAuthModule } from './oauth.module.js';
export {
  accessGrantOf,
  accessOf,
  AdmitMachines,
  BearerErrorFilter,
  BearerGuard,
  ForResource,
  RequireScope,
} from './protected-resource/bearer.guard.js';
export { expectScopes } from './protected-resource/bearer.js';
export {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './registration/registration-budget.js';
export {
  metadataUrl,
  normalIdentifier,
  originOfResource,
  type Resource,
} from './resource/resource.js';
export { ResourcesService } from './resource/resource.service.js';
export type { Scope } from './scope.js';
export {
  generateSigningKey,
  parseSigningKeys,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeysFound,
  signingKeysText,
  withNewKey,
} from './signing/signing-key.js';
export { type Access, type AccessGrant, accountOf, machineAccountOf } from './token/token.js';
