import { SESSION_ENDED } from '../protocol/close-codes.js';
import { hubFrame } from '../protocol/hub-frame.js';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { ALL_TABS } from '../protocol/tab-message.js';
import type { Tab } from '../protocol/tab.js';
import type { LocalTab } from './local-tab.js';

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
  request(request: Request): number {
    const { to, id, app, method, params, expiresAt } = request;
    const tab = this.tabs.get(to);
    if (!tab?.write(hubFrame('request', { id, app, method, params, expiresAt }))) return 0;
    tab.requests.add(request, () => cancel(tab, id));
    return 1;
  }

  /** Nobody waits for an answer to the request any more: the tab that still works on it is told. */
  cancel(requestId: string) {
    for (const tab of this.tabs.values()) cancel(tab, requestId);
  }

  /** What happened to the account. */
  tell({ type, at }: Extract<TabBusMessage, { kind: 'account' }>) {
    const frame = hubFrame('account', { type, at });
    for (const tab of this.tabs.values()) tab.write(frame);
  }

  /** The list that replaces the one before. */
  show(tabs: readonly Tab[]) {
    const frame = hubFrame('tabs', { tabs });
    for (const tab of this.tabs.values()) tab.writeLatest(frame);
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

function cancel(tab: LocalTab, id: string) {
  if (tab.requests.close(id)) tab.write(hubFrame('cancel', { id }));
}
