// The package exports this as `gatehouse/oauth`; docs/guides/extending.md lists it. All else of this lib may change.
export {
  AuthorizationPages,
  BuiltInAuthorizationPages,
} from './authorization-server/authorization-pages.js';
export { BearerGuard } from './protected-resource/bearer.guard.js';
export { ClientDocumentCache } from './clients/documents/client-document-cache.js';
export { ClientPolicy, type PolicyClient } from './clients/client-policy.js';
export { RegistrationBudget } from './clients/registrations/registration-budget.js';
export { RequireScope } from './protected-resource/require-scope.decorator.js';
export type { Scope } from './scopes/scope.js';
