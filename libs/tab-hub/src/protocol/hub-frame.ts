import type { FrameErrorCode } from './frame.error.js';
import type { Tab } from './tab.js';
import type { TabMessage } from './tab-message.js';
import { textFrame } from './text-frame.js';

/** What the hub says to a tab, by event. */
interface HubFrames {
  welcome: { readonly tabId: string; readonly tabs: readonly Tab[] };
  tabs: { readonly tabs: readonly Tab[] };
  message: TabMessage;
  request: {
    readonly id: string;
    readonly app: string;
    readonly method: string;
    readonly params: unknown;
    readonly expiresAt: string;
  };
  cancel: { readonly id: string };
  account: { readonly type: string; readonly at: number };
  ack: { readonly id: string; readonly delivered: number };
  pong: unknown;
  error: {
    readonly code: FrameErrorCode;
    readonly message: string;
    readonly id?: string | undefined;
  };
}

/** A frame from the hub, as it goes over the wire: to as many tabs as there are for it. */
export const hubFrame = <Event extends keyof HubFrames>(event: Event, data: HubFrames[Event]) =>
  textFrame(JSON.stringify({ event, data }));
