// What a team's own tests are made with; the package exports it as `gatehouse/testing`.
export { describeContentScreener, describeUserRunLimit } from '#libs/code-runner/testing';
export { budgetServiceOn, describeBudgetLimits, describeBudgetStore } from '#libs/budget/testing';
export { describeThrottlerStorage } from '#libs/accounts/testing';
export { describeClientDocumentCache, describeRegistrationBudget } from '#libs/oauth/testing';
export { describeChallengeStore } from '#libs/passkeys/testing';
export { describeTabBus, describeTabPresence } from '#libs/tab-hub/testing';
export { type AccountStatus, Browser, type SignUpRequest } from './browser.js';
export { advanceClock, restoreClock } from './clock.js';
export { eventually } from './eventually.js';
export { type Answer, call, type Call } from './http.js';
export { createInvite, type Invite } from './invite.js';
export { OAuthClient, type TokenResponse } from './oauth-client.js';
export { requestTo } from './request.js';
export {
  type Service as Gatehouse,
  type ServiceOptions as GatehouseOptions,
  startService as startGatehouse,
} from './service.js';
export { SoftAuthenticator } from './soft-authenticator/index.js';
export { type Frame, TabClient } from './tab-client.js';
