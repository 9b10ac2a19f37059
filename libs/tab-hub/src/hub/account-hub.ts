import { randomBytes } from 'node:crypto';
import { whileWaiting } from '#libs/load';
import { hubFrame } from '../protocol/hub-frame.js';
import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';
import { ALL_TABS, type TabMessage, type TabOutcome } from '../protocol/tab-message.js';
import { TabBusDownError } from '../bus/tab-bus-down.error.js';
import { CallTimeoutError, UnknownTabError } from '../protocol/tab-call.error.js';
import type { TabPresence } from '../presence/tab-presence.js';
import type { Tab } from '../protocol/tab.js';
import { type Delivery, DeliveryAcks } from './delivery-acks.js';
import type { LocalTab } from './local-tab.js';
import { LocalTabs } from './local-tabs.js';
import { TabCalls } from './tab-calls.js';
import { TabList } from './tab-list.js';

/** What a tab is asked for, and how long to wait for the answer. */
export interface TabRequest {
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
  readonly timeoutMs: number;
}

/** This replica's end of one account's hub: its own tabs, and what the replicas publish for the account. */
export class AccountHub {
  private readonly tabs = new LocalTabs();
  private readonly calls = new TabCalls();
  private readonly acks = new DeliveryAcks();
  private readonly list: TabList;
  private isClosed = false;

  constructor(
    readonly userId: string,
    private readonly bus: TabBus,
    private readonly presence: TabPresence,
  ) {
    this.list = new TabList(
      () => presence.list(userId),
      (tabs) => this.announce(tabs),
    );
  }

  join(tab: LocalTab) {
    this.tabs.add(tab);
  }

  /** The calls that the tab has not answered fail at once. */
  leave(tab: LocalTab) {
    this.tabs.remove(tab);
    for (const id of tab.requests.keys()) this.notify({ kind: 'settled', id, outcome: null });
    tab.requests.clear();
  }

  /** Does what a replica, be it this one, has published for all of them. */
  onMessage(message: TabBusMessage) {
    if (this.isClosed) return;
    switch (message.kind) {
      case 'tabs':
        return this.refresh();
      case 'message':
        return this.acknowledge(message.ackId, this.tabs.deliver(message));
      case 'request':
        return this.acknowledge(message.id, this.tabs.request(message));
      case 'ack':
        return void this.acks.add(message.id, message.delivered);
      case 'settled':
        this.calls.resolve(message.id, message.outcome);
        return this.tabs.cancel(message.id);
      case 'account':
        return this.tabs.tell(message);
      case 'session-ended':
        return this.tabs.endSession(message.session);
    }
  }

  /** @throws UnknownTabError when `to` is no open tab of the account; `*` always passes */
  async assertOpen(to: string): Promise<void> {
    if (to === ALL_TABS || this.tabs.has(to) || this.list.has(to)) return;
    const tabs = await this.presence.list(this.userId);
    if (!tabs.some(({ id }) => id === to)) throw new UnknownTabError();
  }

  /** Resolves when the message is on its way, whether there is such a tab or not. */
  async send(to: string, message: TabMessage): Promise<void> {
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) this.tabs.deliver(sent);
    else await this.publish(sent);
  }

  /** As `send`; `delivery` resolves when it is known how far it came. */
  async sendAcknowledged(
    to: string,
    message: TabMessage,
  ): Promise<{ delivery: Promise<Delivery> }> {
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) return { delivery: complete(this.tabs.deliver(sent)) };
    const ackId = randomId();
    return this.publishAcknowledged(ackId, { ...sent, ackId });
  }

  /** What the tab answers; fails as TabsService.call does. */
  async call(to: string, { timeoutMs, ...asked }: TabRequest): Promise<unknown> {
    if (this.isClosed) throw new TabBusDownError();
    const id = randomId();
    const expiresAt = new Date(Date.now() + timeoutMs).toISOString();
    const answer = this.calls.wait(id, to, timeoutMs);
    void this.request({ kind: 'request', to, id, expiresAt, ...asked });
    try {
      return await whileWaiting(() => answer);
    } catch (error) {
      if (error instanceof CallTimeoutError) this.notify({ kind: 'settled', id, outcome: null });
      throw error;
    }
  }

  /** Passes a tab's answer on to whoever asked; false when nobody waits for it. */
  async answer(tab: LocalTab, id: string, outcome: TabOutcome): Promise<boolean> {
    if (!tab.requests.delete(id)) return false;
    await this.publish({ kind: 'settled', id, outcome });
    return true;
  }

  /** It gets no message any more, so whoever waits for something waits no longer. */
  close() {
    this.isClosed = true;
    this.list.stop();
    this.calls.keepOnly(new Set());
    this.acks.closeAll();
  }

  private refresh() {
    if (this.tabs.size > 0 || this.calls.size > 0) this.list.refresh();
  }

  private announce(tabs: readonly Tab[]) {
    this.calls.keepOnly(new Set(tabs.map(({ id }) => id)));
    this.tabs.writeAll(hubFrame('tabs', { tabs }));
  }

  private async request(request: Extract<TabBusMessage, { kind: 'request' }>) {
    const { id, to } = request;
    if (this.tabs.has(to)) {
      if (this.tabs.request(request) === 0) this.calls.resolve(id, null);
      return;
    }
    try {
      const { delivery } = await this.publishAcknowledged(id, request);
      const { delivered, isComplete } = await delivery;
      if (delivered > 0 || !isComplete) return;
      await this.assertOpen(to);
      this.calls.resolve(id, null);
    } catch (error) {
      this.calls.fail(id, error as Error);
    }
  }

  private async publishAcknowledged(ackId: string, message: TabBusMessage) {
    const delivery = this.acks.open(ackId);
    try {
      this.acks.expect(ackId, await this.publish(message));
    } catch (error) {
      this.acks.close(ackId);
      throw error;
    }
    return { delivery };
  }

  private acknowledge(ackId: string | undefined, delivered: number) {
    if (ackId === undefined || this.acks.add(ackId, delivered)) return;
    this.notify({ kind: 'ack', id: ackId, delivered });
  }

  private publish(message: TabBusMessage) {
    return this.bus.publish(this.userId, message);
  }

  /** Not waited for: a bus that fails lets everybody know by itself. */
  private notify(message: TabBusMessage) {
    this.publish(message).catch(() => undefined);
  }
}

const messageTo = (to: string, message: TabMessage) =>
  ({ kind: 'message', to, except: message.from, message }) as const;

const complete = async (delivered: number): Promise<Delivery> => ({ delivered, isComplete: true });

const randomId = () => randomBytes(16).toString('base64url');
