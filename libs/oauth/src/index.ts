export * from './public.js';
export { InProcessClientDocumentCache } from './client-document/client-document-cache.js';
export { RedisClientDocumentCache } from './client-document/client-document-cache.redis.js';
export { type Approval, type ApprovalPage, toRequest } from './approval/approval.js';
export { ApprovalPasskeys } from './approval/approval-passkeys.js';
export { RedisApprovalSignals } from './approval/approval-signals.redis.js';
export { ApprovalSignals } from './approval/approval-signals.js';
export { ApprovalService } from './approval/approval.service.js';
export { ApprovalStore } from './approval/approval.store.js';
export { ClientBlockStore } from './client/client-block.store.js';
export {
  CLIENT_AUTH_CHOICES,
  ClientCredentialsService,
  type IssuedClient,
  type NewClient,
  type NewMachineClient,
} from './client/client-credentials.service.js';
export { isDocumentUrl, isPossibleDocumentUrl, MACHINE_AUTH_CHOICES } from './client/client.js';
export { ClientStore, type ClientRecord } from './client/client.store.js';
export { normalRedirectHost, redirectHostsOf } from './client/redirect-uri.js';
export { type ApprovalEnd, type ApprovalKind, ApprovalMeter } from './approval/approval-meter.js';
export { type ConnectionCall, ConnectionCalls } from './connection/connection-calls.js';
export { toCall } from './connection/connection.controller.js';
export { ConnectionUsage } from './connection/connection-usage.js';
export { isEnd, isPermissions, MAX_CREDITS } from './connection/connection-change.dto.js';
export { ConnectionReaderService } from './connection/connection-reader.service.js';
export { type Connection, eventOf, expectFitting, widens } from './connection/connection.js';
export { cors } from './cors.middleware.js';
export { type ConnectionChange, ConnectionStore } from './grant/connection.store.js';
export type { GrantEntity } from './grant/grant.entity.js';
export { GrantStore } from './grant/grant.store.js';
export { type Permission, permissionsOf, usableScopes } from './grant/permission.js';
export { IssuerKeysService, KeysUnavailableError } from './managed-access/issuer-keys.service.js';
export { oauthMigrations } from './migrations/oauth-migrations.js';
export { oauthErrorBody, readForm } from './oauth-endpoints.js';
export { OAuthAdministrationModule, OAuthModule } from './oauth.module.js';
export type { TrustedIssuer } from './oauth.module-definition.js';
export {
  accessGrantOf,
  accessOf,
  AdmitMachines,
  BearerErrorFilter,
  DecideByCall,
} from './protected-resource/bearer.guard.js';
export { expectScopes } from './protected-resource/bearer.js';
export { CountedRegistrationBudget } from './registration/registration-budget.js';
export {
  metadataUrl,
  normalIdentifier,
  originOfResource,
  ResourcesService,
} from './resource/resource.js';
export {
  generateSigningKey,
  parseSigningKeys,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type SigningKeysFound,
  signingKeysText,
  withNewKey,
} from './signing/signing-key.js';
export { grantTypeOf } from './token-endpoint/token.controller.js';
export { BearerTokensService } from './token/bearer-tokens.service.js';
export { type Access, type AccessGrant, accountOf, machineAccountOf } from './token/token.js';
