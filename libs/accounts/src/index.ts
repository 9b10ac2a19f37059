export * from './public.js';
export { unknownUser, UserDirectoryService } from './account/user.service.js';
export { OwnAccountService, type OwnView } from './account/own-account.service.js';
export { AccountsAdministrationModule, AccountsModule } from './accounts.module.js';
export type { AccountsOptions } from './accounts.module-definition.js';
export { ExternalAccountsService } from './external-identity/external-account.service.js';
export {
  expectIdentity,
  isIdentityText,
  MAX_IDENTITY_LENGTH,
} from './external-identity/external-identity.js';
export { ExternalIdentityEntity } from './external-identity/external-identity.entity.js';
export { ExternalIdentityStore } from './external-identity/external-identity.store.js';
export { methodNotAllowed } from './http/allow-routed-methods.decorator.js';
export { AuthController, AuthPost, OwnAccountController } from './session/auth-routes.decorator.js';
export { ErrorFormat } from './http/error-format.decorator.js';
export {
  chargeBodyTo,
  checkAgain,
  checkAroundBody,
  countBodyMemory,
  countUnread,
  holderOf,
  isBodyCut,
  tooMuchAtOnce,
} from './body/body-bytes.js';
export { readJsonObject, sentencePipe, strictPipe } from './body/json-body.js';
export {
  type CallDescription,
  type CallKind,
  type EndedSession,
  type EventFacts,
  SECURITY_EVENT_TYPES,
  type SecurityEventType,
} from './security-event/security-event.service.js';
export { type Activity, ActivityReader } from './account/activity.controller.js';
export { logCallerOf, logReasonOf, setLogCaller, setLogReason } from './http/log-reason.js';
export { ExpectedError } from './http/refusal.error.js';
export {
  ChangeLimitGuard,
  ChangeLimitService,
  CurrentSession,
  SessionChangeLimitGuard,
  SignedInGuard,
  endWithAccess,
} from './session/session.guard.js';
export { accountsMigrations } from './migrations/accounts-migrations.js';
export {
  asVisitor,
  clientAddressOf,
  currentVisitor,
  CurrentVisitorMiddleware,
  networkOf,
  visitorOf,
} from './visitor-limit/visitor.middleware.js';
export { addressIn, isCrossSiteSubrequest } from './visitor-limit/visitor.js';
export { tooManyRequests, VisitorGuard, visitorLimit } from './visitor-limit/visitor.guard.js';
export { VisitorStorage } from './visitor-limit/visitor.storage.js';
export { RecoveryCodesService } from './recovery/recovery-code.service.js';
export { END_RECOVERY_LINK, recoveryLinkValues } from './recovery/recovery-code.store.js';
export {
  headerValues,
  isForeignOrigin,
  isLoopbackHostname,
  isOwnUnnamed,
  type OwnOrigin,
} from './request-origin/own-origin.js';
export { ownOriginMiddleware, ownOriginOf } from './request-origin/own-origin.middleware.js';
export {
  activeSessionValues,
  BEGIN_SESSION,
  hasManySessions,
  sessionIsActive,
  SessionStore,
  type SessionValues,
  sessionValues,
} from './session/session.store.js';
export { readCookie } from './session/session-cookie.js';
export { ReturnAddressService } from './session/return-address.service.js';
export { FreshnessService } from './session/freshness.service.js';
export { browserName } from './session/browser-name.js';
export { type SignInContext } from './session/session.service.js';
export { type Session, type SignedIn, signInFirst } from './session/session.js';
export { compareSecret, generateId, hashSecret } from './secret.js';
export { InviteStore, type InviteRecord, MAX_INVITE_USES } from './sign-up/invite.store.js';
export { SignUpService } from './sign-up/sign-up.service.js';
export { IsDisplayName } from './user/display-name.dto.js';
export { displayNameFault } from './user/display-name.js';
export { UserEntity } from './user/user.entity.js';
export { AccountDisabledError, UserStore } from './user/user.store.js';
