export * from './public.js';
export { unknownUser, UserDirectoryService } from './user/user.service.js';
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
export { AuthController, AuthPost, OwnAccountController } from './http/auth-routes.decorator.js';
export { ErrorFormat } from './http/error-format.decorator.js';
export { chargeBodyTo, countBodyMemory, holderOf, revalidateAfterBody } from './http/body-bytes.js';
export { readJsonObject, sentencePipe } from './http/json-body.js';
export {
  type EventFacts,
  SECURITY_EVENT_TYPES,
  type SecurityEventType,
} from './security-event/security-event.service.js';
export { type Activity, ActivityReader } from './security-event/activity.controller.js';
export { ExpectedError, keepReason, keptReason } from './http/refusal.error.js';
export {
  ChangeLimitGuard,
  CurrentSession,
  SessionChangeLimitGuard,
  SignedInGuard,
  endWithAccess,
} from './session/session.guard.js';
export { accountsMigrations } from './migrations/accounts-migrations.js';
export {
  asVisitor,
  currentVisitor,
  CurrentVisitorMiddleware,
  networkOf,
  visitorOf,
} from './visitor-limit/visitor.middleware.js';
export { addressIn, isInPassing } from './visitor-limit/visitor.js';
export { tooManyRequests, VisitorGuard, visitorLimit } from './visitor-limit/visitor.guard.js';
export { VisitorStorage } from './visitor-limit/visitor.storage.js';
export { recoveryLinkEnding, RecoveryCodesService } from './recovery/recovery-code.service.js';
export {
  headerValues,
  isForeignOrigin,
  isLoopbackHostname,
  isOwnUnnamed,
  type OwnOrigin,
} from './request-origin/own-origin.js';
export { ownOriginMiddleware, ownOriginOf } from './request-origin/own-origin.middleware.js';
export { SessionStore, sessionBeginning, sessionIsActive } from './session/session.store.js';
export { ReturnAddressService } from './session/return-address.service.js';
export { FreshnessService } from './session/freshness.service.js';
export { browserName } from './session/browser-name.js';
export { type SignInContext } from './session/session.service.js';
export {
  type EndedSession,
  notFresh,
  type Session,
  type SignedIn,
  signInFirst,
} from './session/session.js';
export { compareSecret, generateId, hashSecret } from './secret.js';
export {
  InvitesService,
  type InviteRecord,
  MAX_INVITE_USES,
  type NewInvite,
} from './sign-up/invite.service.js';
export { type NewAccount, SignUpService } from './sign-up/sign-up.service.js';
export { IsDisplayName } from './user/display-name.dto.js';
export { displayNameFault } from './user/display-name.js';
export { UserEntity } from './user/user.entity.js';
export { AccountDisabledError, UserStore } from './user/user.store.js';
