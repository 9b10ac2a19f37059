/** Why the hub closes a connection: the code is the contract, the reason is for people. */
export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
}

export const GOING_AWAY: CloseFrame = { code: 1001, reason: 'the service is restarting' };
export const FAILED: CloseFrame = { code: 1011, reason: 'internal error' };
export const STORE_AWAY: CloseFrame = { code: 1013, reason: 'storage does not answer' };
export const SLOW_READER: CloseFrame = { code: 1013, reason: 'too slow to read' };
export const SESSION_ENDED: CloseFrame = { code: 4401, reason: 'session ended' };
export const NO_HEARTBEAT: CloseFrame = { code: 4408, reason: 'no heartbeat' };
export const TOO_MANY_MESSAGES: CloseFrame = { code: 4408, reason: 'too many messages' };
export const TOO_MANY_TABS: CloseFrame = { code: 4429, reason: 'too many tabs' };
