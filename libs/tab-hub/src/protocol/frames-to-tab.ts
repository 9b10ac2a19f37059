import type { FrameErrorCode } from './frame-fields.js';
import type { CallOfTab, OpenRequest, Tab, TabMessage } from './tab.js';

interface HubFrames {
  welcome: { readonly tabId: string; readonly tabs: readonly Tab[] };
  tabs: { readonly tabs: readonly Tab[] };
  message: TabMessage;
  request: CallOfTab;
  cancel: { readonly id: string };
  requests: { readonly requests: readonly OpenRequest[] };
  account: { readonly type: string; readonly at: number };
  ack: { readonly id: string; readonly delivered: number };
  pong: unknown;
  error: {
    readonly code: FrameErrorCode;
    readonly message: string;
    readonly id?: string | undefined;
    readonly tool?: string | undefined;
  };
}

export const hubFrame = <Event extends keyof HubFrames>(event: Event, data: HubFrames[Event]) =>
  textFrame(JSON.stringify({ event, data }));

const FINAL_TEXT = 0x81;
const FINAL_PONG = 0x8a;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/**
 * An unmasked text message of one frame, as it goes over the wire (RFC 6455, section 5.2). It has memory of its own: what
 * is not read would keep all 64 KiB of Node's pool along with it.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < LENGTH_IN_TWO_BYTES ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(start + length);
  frame[0] = FINAL_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) frame.writeUInt16BE(length, frame.writeUInt8(LENGTH_IN_TWO_BYTES, 1));
  else frame.writeBigUInt64BE(BigInt(length), frame.writeUInt8(LENGTH_IN_EIGHT_BYTES, 1));
  frame.write(text, start);
  return frame;
}

/** The answer to a ping with this data, of at most 125 bytes (section 5.5.3), likewise. */
export function pongFrame(data: Buffer): Buffer {
  const frame = Buffer.allocUnsafeSlow(2 + data.length);
  frame[0] = FINAL_PONG;
  frame[1] = data.length;
  data.copy(frame, 2);
  return frame;
}

/** Why the hub closes a connection: the code is the contract, the reason is for people. */
export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
}

export const GOING_AWAY: CloseFrame = { code: 1001, reason: 'the service is restarting' };
export const FAILED: CloseFrame = { code: 1011, reason: 'internal error' };
export const STORE_AWAY: CloseFrame = { code: 1013, reason: 'storage does not answer' };
export const SLOW_READER: CloseFrame = { code: 1013, reason: 'too slow to read' };
export const BACKLOG: CloseFrame = { code: 1013, reason: 'too much waits to be handled' };
export const SESSION_ENDED: CloseFrame = { code: 4401, reason: 'session ended' };
export const NO_HEARTBEAT: CloseFrame = { code: 4408, reason: 'no heartbeat' };
export const TOO_MANY_MESSAGES: CloseFrame = { code: 4408, reason: 'too many messages' };
export const TOO_MANY_TABS: CloseFrame = { code: 4429, reason: 'too many tabs' };
