import { randomBytes } from 'node:crypto';
import { hubFrame } from '../protocol/hub-frame.js';
import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';
import type { TabMessage, TabOutcome } from '../protocol/tab-message.js';
import { TabBusDownError } from '../bus/tab-bus-down.error.js';
import { CallTimeoutError, UnknownTabError } from '../protocol/tab-call.error.js';
import type { TabPresence } from '../presence/tab-presence.js';
import type { Tab } from '../protocol/tab.js';
import type { LocalTab } from './local-tab.js';
import { ALL_TABS, LocalTabs } from './local-tabs.js';
import { type Delivery, Receipts } from './delivery-acks.js';
import { TabCalls } from './tab-calls.js';
import { TabList } from './tab-list.js';

/** What a tab is asked, and how long for. */
export interface TabQuestion {
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
  readonly timeoutMs: number;
}

/** This replica's end of one account's hub: its own tabs, and what the other replicas say. */
export class AccountHub {
  private readonly tabs = new LocalTabs();
  private readonly calls = new TabCalls();
  private readonly receipts = new Receipts();
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
    for (const id of tab.requests.keys()) this.say({ kind: 'settled', id, outcome: null });
    tab.requests.clear();
  }

  /** Does what a replica, be it this one, told all of them. */
  hear(message: TabBusMessage) {
    if (this.isClosed) return;
    switch (message.kind) {
      case 'tabs':
        return this.refresh();
      case 'message':
        return this.acknowledge(message.receipt, this.tabs.pass(message));
      case 'request':
        return this.acknowledge(message.id, this.tabs.ask(message));
      case 'receipt':
        return void this.receipts.add(message.id, message.delivered);
      case 'settled':
        this.calls.settle(message.id, message.outcome);
        return this.tabs.withdraw(message.id);
      case 'session-ended':
        return this.tabs.endSession(message.session);
    }
  }

  /** @throws UnknownTabError */
  async send(to: string, message: TabMessage): Promise<void> {
    await this.find(to);
    await this.publish({ kind: 'message', to, except: message.from, message });
  }

  /** As `send`; resolves when the message is on its way, `delivery` when it is known how far it came. */
  async sendCounted(to: string, message: TabMessage): Promise<{ delivery: Promise<Delivery> }> {
    await this.find(to);
    const receipt = randomId();
    const said = { kind: 'message', to, except: message.from, message, receipt } as const;
    return this.publishCounted(receipt, said);
  }

  /** What the tab answers; fails as TabsService.call does. */
  async call(to: string, { timeoutMs, ...question }: TabQuestion): Promise<unknown> {
    if (to === ALL_TABS) throw new UnknownTabError();
    await this.find(to);
    if (this.isClosed) throw new TabBusDownError();
    const id = randomId();
    const expiresAt = new Date(Date.now() + timeoutMs).toISOString();
    const answer = this.calls.wait(id, to, timeoutMs);
    void this.request({ kind: 'request', to, id, expiresAt, ...question });
    try {
      return await answer;
    } catch (error) {
      if (error instanceof CallTimeoutError) this.say({ kind: 'settled', id, outcome: null });
      throw error;
    }
  }

  /** Passes a tab's answer on to whoever asked; false when nobody waits for it. */
  async answer(tab: LocalTab, id: string, outcome: TabOutcome): Promise<boolean> {
    if (!tab.requests.delete(id)) return false;
    await this.publish({ kind: 'settled', id, outcome });
    return true;
  }

  /** Hears nothing more, so whoever waits for something waits no longer. */
  close() {
    this.isClosed = true;
    this.list.stop();
    this.calls.keepOnly(new Set());
    this.receipts.closeAll();
  }

  private refresh() {
    if (this.tabs.size > 0 || this.calls.size > 0) this.list.refresh();
  }

  private announce(tabs: readonly Tab[]) {
    this.calls.keepOnly(new Set(tabs.map(({ id }) => id)));
    this.tabs.writeAll(hubFrame('tabs', { tabs }));
  }

  private async find(to: string) {
    if (to === ALL_TABS || this.tabs.has(to) || this.list.has(to)) return;
    const tabs = await this.presence.list(this.userId);
    if (!tabs.some(({ id }) => id === to)) throw new UnknownTabError();
  }

  private async request(request: Extract<TabBusMessage, { kind: 'request' }>) {
    try {
      const { delivery } = await this.publishCounted(request.id, request);
      const { delivered, isComplete } = await delivery;
      if (delivered === 0 && isComplete) this.calls.settle(request.id, null);
    } catch (error) {
      this.calls.fail(request.id, error as Error);
    }
  }

  private async publishCounted(receipt: string, message: TabBusMessage) {
    const delivery = this.receipts.open(receipt);
    try {
      this.receipts.expect(receipt, await this.publish(message));
    } catch (error) {
      this.receipts.close(receipt);
      throw error;
    }
    return { delivery };
  }

  private acknowledge(receipt: string | undefined, delivered: number) {
    if (receipt === undefined || this.receipts.add(receipt, delivered)) return;
    this.say({ kind: 'receipt', id: receipt, delivered });
  }

  private publish(message: TabBusMessage) {
    return this.bus.publish(this.userId, message);
  }

  /** Not waited for: a bus that fails says so to everybody by itself. */
  private say(message: TabBusMessage) {
    this.publish(message).catch(() => undefined);
  }
}

const randomId = () => randomBytes(16).toString('base64url');
