// The exports of `gatehouse/testing`, for a team's own tests: docs/guides/extending.md lists them.
export { describeContentScreener, describeUserRunLimit } from '#libs/code-runner/testing';
export {
  describeBudgetLimits,
  describeBudgetsOfConnections,
  describeBudgetStore,
} from '#libs/budget/testing';
export { describeThrottlerStorage } from '#libs/accounts/testing';
export { describeClientDocumentCache, describeRegistrationBudget } from '#libs/oauth/testing';
export { describeChallengeStore } from '#libs/passkeys/testing';
export { describeTabBus, describeTabPresence } from '#libs/tab-hub/testing';
export { AdminApi } from './admin-client.js';
export { Browser } from './browser.js';
export { advanceClock, restoreClock } from '#libs/platform/testing';
export { eventually } from '#libs/platform/testing';
export type { Answer } from './http.js';
export { createInvite } from './invite.js';
export { createMachine, MachineClient } from './machine-client.js';
export { OAuthClient } from './oauth-client.js';
export { type Service as Gatehouse, startService as startGatehouse } from './service.js';
export { SoftAuthenticator } from './soft-authenticator/index.js';
export { TabClient } from './tab-client.js';
