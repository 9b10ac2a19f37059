export { ClientsDirectory, type ClientRecord } from './administration/clients-directory.sql.js';
export {
  GrantsDirectoryService,
  type GrantRecord,
} from './administration/grants-directory.service.js';
export {
  CLIENT_AUTH_CHOICES,
  KeptClientsService,
  type NewClient,
} from './administration/kept-clients.service.js';
export {
  AuthorizationPages,
  BuiltInAuthorizationPages,
} from './authorization-server/authorization-pages.js';
export { isDocumentUrl, isPossibleDocumentUrl } from './clients/client-id-url.js';
export { ClientBlocks } from './clients/blocks/client-blocks.sql.js';
export { ClientPolicy, type PolicyClient } from './clients/client-policy.js';
export { normalRedirectHost, redirectHostOf } from './clients/redirect-uri.js';
export { ClientDocumentCache } from './clients/documents/client-document-cache.js';
export { InProcessClientDocumentCache } from './clients/documents/client-document-cache.in-process.js';
export { RedisClientDocumentCache } from './clients/documents/client-document-cache.redis.js';
export {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './clients/registrations/registration-budget.js';
export { oauthMigrations } from './migrations/oauth-migrations.js';
export { OAuthAdministrationModule } from './oauth-administration.module.js';
export { OAuthModule } from './oauth.module.js';
export { openCors } from './cors/open-cors.middleware.js';
export type { AccessGrant } from './grants/access-tokens.service.js';
export { BearerErrorFilter } from './protected-resource/bearer-error.filter.js';
export { accessGrantOf, BearerGuard } from './protected-resource/bearer.guard.js';
export { RequireScope } from './protected-resource/require-scope.decorator.js';
export { expectScopes } from './protected-resource/required-scopes.js';
export type { Scope } from './scopes/scope.js';
