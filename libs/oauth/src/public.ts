// The package exports this as `gatehouse/oauth`; docs/guides/extending.md lists it. All else of this lib may change.
export {
  type AccessDecision,
  AccessPolicy,
  type AccessRequest,
  type ConnectingClient,
  type ConnectingPerson,
} from './access-policy/access-policy.js';
export { AuthorizationPages, BuiltInAuthorizationPages } from './authorize/authorization-pages.js';
export { BearerGuard, ForResource, RequireScope } from './protected-resource/bearer.guard.js';
export { ClientDocumentCache } from './client-document/client-document-cache.js';
export { ClientPolicy, type PolicyClient } from './client/client-policy.js';
export { RegistrationBudget } from './registration/registration-budget.js';
export type { Resource } from './resource/resource.js';
export type { Scope } from './scope.js';
