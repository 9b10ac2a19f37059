import { SESSION_ENDED } from '../protocol/close-codes.js';
import { hubFrame } from '../protocol/hub-frame.js';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { ALL_TABS } from '../protocol/tab-message.js';
import type { LocalTab } from './local-tab.js';

/** A request is forgotten this long after it expired, or came: the clock of whoever asks may be minutes behind. */
const LEEWAY_MS = 60_000;

type Message = Extract<TabBusMessage, { kind: 'message' }>;
type Request = Extract<TabBusMessage, { kind: 'request' }>;

/** The tabs of one account that are connected to this replica. */
export class LocalTabs {
  private readonly tabs = new Map<string, LocalTab>();

  get size() {
    return this.tabs.size;
  }

  has(tabId: string) {
    return this.tabs.has(tabId);
  }

  add(tab: LocalTab) {
    this.tabs.set(tab.id, tab);
  }

  remove(tab: LocalTab) {
    this.tabs.delete(tab.id);
  }

  /** Returns to how many tabs it was written. */
  deliver({ to, except, message }: Message): number {
    const frame = hubFrame('message', message);
    return this.recipients(to).filter((tab) => tab.id !== except && tab.write(frame)).length;
  }

  /** As `deliver`; the tab may answer from now on. */
  request({ to, id, app, method, params, expiresAt }: Request): number {
    const tab = this.tabs.get(to);
    if (!tab?.write(hubFrame('request', { id, app, method, params, expiresAt }))) return 0;
    const now = Date.now();
    for (const [old, until] of tab.requests) if (until < now) tab.requests.delete(old);
    tab.requests.set(id, Math.max(Date.parse(expiresAt), now) + LEEWAY_MS);
    return 1;
  }

  /** Nobody waits for an answer to the request any more. */
  cancel(requestId: string) {
    for (const tab of this.tabs.values()) tab.requests.delete(requestId);
  }

  /** What happened to the account. */
  tell({ type, at }: Extract<TabBusMessage, { kind: 'account' }>) {
    this.writeAll(hubFrame('account', { type, at }));
  }

  writeAll(frame: Buffer) {
    for (const tab of this.tabs.values()) tab.write(frame);
  }

  endSession(session: string) {
    const tabs = [...this.tabs.values()];
    for (const tab of tabs) if (tab.session === session) tab.end(SESSION_ENDED);
  }

  private recipients(to: string): LocalTab[] {
    if (to === ALL_TABS) return [...this.tabs.values()];
    const tab = this.tabs.get(to);
    return tab ? [tab] : [];
  }
}
