export type { JsonObject } from '#libs/platform';
export {
  AccountSwitchService,
  unknownUser,
  UserDeletionService,
  UserDirectoryService,
  type UserRecord,
} from './user/user.service.js';
export { AccountsAdministrationModule, AccountsModule } from './accounts.module.js';
export type { AccountsOptions, SignUp } from './accounts.module-definition.js';
export { AllowedMethods, methodNotAllowed } from './http/allowed-methods.guard.js';
export { AuthController, AuthPost } from './http/auth-routes.decorator.js';
export { holdBodies, holdBodyFor, readBytes } from './http/body-bytes.js';
export { type BudgetBalance, BudgetReader } from './session/session.controller.js';
export { checkAgainAfterBody, JsonBody, readJsonObject } from './http/json-body.js';
export {
  type EventFacts,
  SECURITY_EVENT_TYPES,
  type SecurityEvent,
  SecurityEventsService,
  type SecurityEventType,
} from './security-event/security-event.service.js';
export { type Activity, ActivityReader } from './security-event/activity.controller.js';
export { ExpectedError, keepReason, keptReason, RefusalError } from './http/refusal.error.js';
export {
  ChangeLimitGuard,
  CurrentSession,
  CurrentUser,
  SessionChangeLimitGuard,
  SignedInGuard,
  endWithAccess,
  SessionGuard,
} from './session/session.guard.js';
export { accountsMigrations } from './migrations/accounts-migrations.js';
export { ChangeLimitService } from './visitor-limit/change-limit.service.js';
export {
  asVisitor,
  currentVisitor,
  CurrentVisitorMiddleware,
  networkOf,
  visitorOf,
} from './visitor-limit/visitor.middleware.js';
export { isInPassing, type Visitor } from './visitor-limit/visitor.js';
export { VisitorGuard, visitorLimit } from './visitor-limit/visitor.guard.js';
export { VisitorStorage } from './visitor-limit/visitor.storage.js';
export { recoveryLinkEnding, RecoveryLinksService } from './recovery/recovery-code.service.js';
export {
  headerValues,
  isForeignOrigin,
  isLoopbackHostname,
  type OwnOrigin,
} from './request-origin/own-origin.js';
export { ownOriginMiddleware, ownOriginOf } from './request-origin/own-origin.middleware.js';
export {
  AccountSessionsService,
  sessionBeginning,
  sessionGoesOn,
} from './session/session.store.js';
export { browserName } from './session/browser-name.js';
export { BrowserSessionsService } from './session/browser-sessions.service.js';
export { type EndedSession, expectFresh, type Session } from './session/session.js';
export { compareSecret, hashSecret } from './secret.js';
export { lockSession } from './session/session.entity.js';
export { SessionsService } from './session/session.service.js';
export {
  AccountPolicy,
  type Applicant,
  ConfiguredAccountPolicy,
} from './sign-up/account-policy.js';
export {
  InviteDirectoryService,
  type InviteRecord,
  MAX_INVITE_USES,
  type NewInvite,
} from './sign-up/invite.service.js';
export { type NewAccount, SignUpService } from './sign-up/sign-up.service.js';
export { displayNameFault, readDisplayName } from './user/display-name.js';
export { UserEntity } from './user/user.entity.js';
export { type User, generateUserId } from './user/user.js';
export { UsersService } from './user/user.store.js';
