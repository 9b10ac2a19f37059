// What the package exports as `gatehouse/accounts`: docs/guides/extending.md lists it. The rest of this lib may change.
export {
  AccountPolicy,
  type Applicant,
  ConfiguredAccountPolicy,
  type ExternalIdentity,
} from './sign-up/account-policy.js';
export { AllowRoutedMethods } from './http/allow-routed-methods.decorator.js';
export { BrowserSessionsService } from './session/session.service.js';
export { type BudgetBalance, BudgetReader } from './session/session.controller.js';
export { CurrentUser, SessionGuard } from './session/session.guard.js';
export type { ExternalPerson } from './external-identity/external-account.service.js';
export {
  ExternalIdentities,
  type LinkedIdentity,
} from './external-identity/external-identities.service.js';
export { ExternalSignIn } from './external-identity/external-sign-in.js';
export { JsonBody } from './body/json-body.js';
export type { JsonObject } from '#libs/platform';
export { readBytes } from './body/body-bytes.js';
export { RefusalError } from './http/refusal.error.js';
export {
  type SecurityEvent,
  SecurityEventsService,
} from './security-event/security-event.service.js';
export type { User } from './user/user.js';
export { UserDeletionService } from './account/user.service.js';
export type { Visitor } from './visitor-limit/visitor.js';
export type { SignUp } from './accounts.module-definition.js';
