/** Why the hub closes a connection: the code is the contract, the reason is for people. */
export interface HubClosing {
  readonly code: number;
  readonly reason: string;
}

export const GOING_AWAY: HubClosing = { code: 1001, reason: 'the service is restarting' };
export const FAILED: HubClosing = { code: 1011, reason: 'internal error' };
export const STORE_AWAY: HubClosing = { code: 1013, reason: 'storage does not answer' };
export const SLOW_READER: HubClosing = { code: 1013, reason: 'too slow to read' };
export const SESSION_ENDED: HubClosing = { code: 4401, reason: 'session ended' };
export const NO_HEARTBEAT: HubClosing = { code: 4408, reason: 'no heartbeat' };
export const TOO_MANY_MESSAGES: HubClosing = { code: 4408, reason: 'too many messages' };
export const TOO_MANY_TABS: HubClosing = { code: 4429, reason: 'too many tabs' };
