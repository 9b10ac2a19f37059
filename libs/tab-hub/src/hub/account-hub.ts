import { type TabBus, TabBusDownError, type TabBusMessage } from '../bus/tab-bus.js';
import { ALL_TABS, type Tab, type TabMessage } from '../protocol/tab.js';
import { Paced } from '#libs/platform';
import { UnknownTabError } from './errors.js';
import type { TabPresence } from '../presence/tab-presence.js';
import { AccountCalls, type TabRequest } from './account-calls.js';
import { AccountPublisher, type Delivery, randomId } from './account-publisher.js';
import { type LocalTab, LocalTabs } from './local-tabs.js';

/** Between two changes of a list that are told: of the tabs, or of what their pages offer. */
export const LIST_GAP_MS = 250;

/** Follows the list of an account's tabs: it is read again, and told, when it has changed. */
export class TabList {
  private ids: ReadonlySet<string> = new Set();
  private isStopped = false;
  private readonly reading: Paced;

  constructor(
    private readonly read: () => Promise<Tab[]>,
    private readonly announce: (tabs: readonly Tab[]) => void,
  ) {
    this.reading = new Paced(LIST_GAP_MS, () => this.follow());
  }

  /** Whether the tab was in the list when it was last read. */
  has(tabId: string) {
    return this.ids.has(tabId);
  }

  /** Says that the list has changed. */
  refresh() {
    this.reading.ask();
  }

  stop() {
    this.isStopped = true;
    this.reading.stop();
  }

  private async follow() {
    const tabs = await this.read();
    if (this.isStopped) return;
    this.ids = new Set(tabs.map(({ id }) => id));
    this.announce(tabs);
  }
}

/** Who wants to know when what pages offer may have changed, four times a second at most; must not throw. */
interface ToolsListener {
  changed(): void;
  /** The hub hears nothing any more. */
  closed(): void;
}

/** This replica's end of one account's hub: its own tabs, and what the replicas publish for the account. */
export class AccountHub {
  readonly calls: AccountCalls;
  private readonly tabs = new LocalTabs();
  private readonly publisher: AccountPublisher;
  private readonly list: TabList;
  private readonly toolsChanges = new Paced(LIST_GAP_MS, () => this.tellListeners('changed'));
  private readonly toolsListeners = new Set<ToolsListener>();
  private isClosed = false;

  constructor(
    readonly userId: string,
    bus: TabBus,
    private readonly presence: TabPresence,
  ) {
    this.publisher = new AccountPublisher(userId, bus);
    this.calls = new AccountCalls(this.tabs, this.publisher);
    this.list = new TabList(
      () => presence.list(userId),
      (tabs) => this.announce(tabs),
    );
  }

  /** Returns what takes the listener off. */
  onTools(listener: ToolsListener): () => void {
    this.toolsListeners.add(listener);
    return () => void this.toolsListeners.delete(listener);
  }

  join(tab: LocalTab) {
    this.tabs.add(tab);
  }

  /** The calls that the tab has not answered fail at once. */
  leave(tab: LocalTab) {
    this.tabs.remove(tab);
    this.calls.leave(tab);
  }

  /** Does what a replica, be it this one, has published for all of them. */
  onMessage(message: TabBusMessage) {
    if (this.isClosed) return;
    switch (message.kind) {
      case 'tabs':
        if (message.tools) this.toolsChanges.ask();
        return this.refresh();
      case 'message':
        return this.publisher.acknowledge(message.ackId, this.tabs.deliver(message));
      case 'request':
        return this.publisher.acknowledge(message.id, this.tabs.request(message));
      case 'ack':
        return this.publisher.onAck(message);
      case 'progress':
        return this.calls.onProgress(message);
      case 'settled':
        return this.calls.onSettled(message);
      case 'account':
        return this.tabs.tell(message);
      case 'session-ended':
        return this.tabs.endSession(message.session);
    }
  }

  /** @throws UnknownTabError when `to` is no open tab of the account; `*` always passes */
  async assertOpen(to: string): Promise<void> {
    if (to === ALL_TABS || this.tabs.has(to) || this.list.has(to)) return;
    if (!(await this.presence.find(this.userId, to))) throw new UnknownTabError();
  }

  /** Resolves when the message is on its way, whether there is such a tab or not. */
  async send(to: string, message: TabMessage): Promise<void> {
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) this.tabs.deliver(sent);
    else await this.publisher.publish(sent);
  }

  /** As `send`; `delivery` resolves when it is known how far it came. */
  async sendAcknowledged(
    to: string,
    message: TabMessage,
  ): Promise<{ delivery: Promise<Delivery> }> {
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) return { delivery: complete(this.tabs.deliver(sent)) };
    const ackId = randomId();
    return this.publisher.publishAcknowledged(ackId, { ...sent, ackId });
  }

  /** What the tab answers; fails as TabsService.call does. */
  async call(to: string, request: TabRequest): Promise<unknown> {
    if (this.isClosed) throw new TabBusDownError();
    return this.calls.call(to, request);
  }

  /** It gets no message any more, so whoever waits for something waits no longer. */
  close() {
    this.isClosed = true;
    this.list.stop();
    this.toolsChanges.stop();
    this.calls.keepOnly(new Set());
    this.publisher.close();
    this.tellListeners('closed');
  }

  private tellListeners(event: keyof ToolsListener) {
    for (const listener of this.toolsListeners) listener[event]();
  }

  private refresh() {
    if (this.tabs.size > 0 || this.calls.size > 0) this.list.refresh();
  }

  private announce(tabs: readonly Tab[]) {
    this.calls.keepOnly(new Set(tabs.map(({ id }) => id)));
    this.tabs.show(tabs);
  }
}

const messageTo = (to: string, message: TabMessage) =>
  ({ kind: 'message', to, except: message.from, message }) as const;

const complete = async (delivered: number): Promise<Delivery> => ({ delivered, isComplete: true });
