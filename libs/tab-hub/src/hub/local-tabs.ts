import type { TabBusMessage } from '../bus/tab-bus.js';
import { type CloseFrame, hubFrame, SESSION_ENDED } from '../protocol/hub-frame.js';
import { ALL_TABS, type Tab } from '../protocol/tab.js';

/** The caller says so itself when its time is up; this is for one that cannot any more. */
const GRACE_MS = 500;
/** The clock of a caller that says only when its request expires may be minutes behind. */
const LEEWAY_MS = 60_000;

export interface AskedOf {
  readonly id: string;
  readonly expiresAt: string;
  /** Missing in what replicas of earlier versions ask. */
  readonly timeoutMs?: number;
  /** Whether the caller wants to hear of progress. */
  readonly wantsProgress?: boolean;
}

interface OpenRequest {
  readonly wantsProgress: boolean;
  readonly timer: NodeJS.Timeout;
  progress: number;
}

/** What a tab was asked and has not answered yet; each is closed once. */
export class TabRequests {
  private readonly open = new Map<string, OpenRequest>();

  get size() {
    return this.open.size;
  }

  has(id: string) {
    return this.open.has(id);
  }

  /** Calls `onExpired` when the caller must have given it up by now. */
  add({ id, expiresAt, timeoutMs, wantsProgress = false }: AskedOf, onExpired: () => void) {
    this.close(id);
    const leftMs = Math.max(Date.parse(expiresAt) - Date.now(), 0) + LEEWAY_MS;
    const timer = setTimeout(onExpired, timeoutMs === undefined ? leftMs : timeoutMs + GRACE_MS);
    this.open.set(id, { wantsProgress, timer: timer.unref(), progress: -Infinity });
  }

  /** Returns whether it was open. */
  close(id: string): boolean {
    clearTimeout(this.open.get(id)?.timer);
    return this.open.delete(id);
  }

  /** Returns the ids of those that were open. */
  closeAll(): string[] {
    const ids = [...this.open.keys()];
    for (const id of ids) this.close(id);
    return ids;
  }

  /** Whether the caller wants to hear of it: not when it is no more than before. */
  advance(id: string, progress: number): boolean {
    const request = this.open.get(id);
    if (!request || progress <= request.progress) return false;
    request.progress = progress;
    return request.wantsProgress;
  }
}

/** A tab that is connected to this replica. */
export interface LocalTab {
  readonly id: string;
  /** `tokenHash` of the session that opened it. */
  readonly session: string;
  /** What waits for its answer. */
  readonly requests: TabRequests;
  /** Returns whether it was written: not before the welcome, and not to a tab that is closing. */
  write(frame: Buffer): boolean;
  /** As `write`, for what replaces the frame of this kind before it: of several that wait for a slow reader only the last is written. */
  writeLatest(frame: Buffer): void;
  end(close: CloseFrame): void;
}

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
