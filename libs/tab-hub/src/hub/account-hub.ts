import { generateId } from '#libs/accounts';
import { Throttle } from '#libs/platform';
import { type TabBus, TabBusDownError, type TabBusMessage } from '../bus/tab-bus.js';
import type { TabPresence } from '../presence/tab-presence.js';
import { hubFrame, SESSION_ENDED } from '../protocol/frames-to-tab.js';
import { ALL_TABS, type OpenRequest, type Tab, type TabMessage } from '../protocol/tab.js';
import type { AccountOutflow } from './account-outflow.js';
import { AccountPublisher, type Delivery } from './account-publisher.js';
import { TooManyDeliveriesError, UnknownTabError } from './errors.js';
import type { LocalTab } from './local-tab.js';
import type { OpenRequests } from './open-requests.js';
import { TabCalls, type TabRequest } from './tab-calls.js';

export const LIST_GAP_MS = 250;

/** Limits lists of tabs to 4 MiB a second for all tabs of an account. */
const LIST_BYTES_PER_MS = 4 * 1024;

/** A look-up of a tab that is not listed takes about as long as a frame of this length. */
const LOOK_UP_BYTES = 4096;

/** No request is open for longer; and a Node timer of more than 24 days fires at once. */
const MAX_EXPIRY_MS = 600_000;
/** `expiresAt` has whole seconds. */
const EXPIRY_LEEWAY_MS = 1000;

type Message = Extract<TabBusMessage, { kind: 'message' }>;

/** `changed`: what pages offer, or also the list of tabs, may be different, at most four times a second. Must not throw. */
interface ListListener {
  readonly of: 'tools' | 'tabs';
  changed(): void;
  closed(): void;
}

export class AccountHub {
  readonly calls: TabCalls;
  private readonly tabs = new Map<string, LocalTab>();
  private listed: ReadonlySet<string> = new Set();
  private readonly publisher: AccountPublisher;
  private readonly listChanges = new Throttle(LIST_GAP_MS, () => this.readList());
  private readonly toldChanges = {
    tools: new Throttle(LIST_GAP_MS, () => this.tellListeners('tools')),
    tabs: new Throttle(LIST_GAP_MS, () => this.tellListeners('tabs')),
  };
  private readonly listeners = new Set<ListListener>();
  private readonly requestsChanges = new Throttle(LIST_GAP_MS, () => this.readRequests());
  /** The last frame of requests that each welcomed tab was sent; as text, which keeps no pool of buffers. */
  private readonly sentRequests = new Map<LocalTab, string>();
  private expiry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    readonly userId: string,
    bus: TabBus,
    private readonly presence: TabPresence,
    readonly outflow: AccountOutflow,
    private readonly requests: OpenRequests,
  ) {
    this.publisher = new AccountPublisher(userId, bus);
    this.calls = new TabCalls(this.tabs, this.publisher);
  }

  listen(listener: ListListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  join(tab: LocalTab) {
    this.tabs.set(tab.id, tab);
  }

  /** The calls that the tab has not answered fail at once. */
  leave(tab: LocalTab) {
    this.tabs.delete(tab.id);
    this.sentRequests.delete(tab);
    this.calls.leave(tab);
  }

  /** Sends a welcomed tab the open requests, now and after each change. Does not wait for that. */
  sendRequests(tab: LocalTab) {
    this.sentRequests.set(tab, '');
    this.onRequestsChanged();
  }

  onRequestsChanged() {
    if (this.sentRequests.size > 0) this.requestsChanges.trigger();
  }

  /** Acts on a message of the bus, also on one that this replica has published. */
  onMessage(message: TabBusMessage) {
    if (this.isClosed) return;
    switch (message.kind) {
      case 'tabs':
        if (message.tools) this.toldChanges.tools.trigger();
        if (this.listeners.size > 0) this.toldChanges.tabs.trigger();
        if (this.tabs.size > 0 || this.calls.size > 0) this.listChanges.trigger();
        break;
      case 'message':
        this.publisher.acknowledge(message.ackId, this.deliver(message));
        break;
      case 'request':
        this.publisher.acknowledge(message.id, this.calls.onRequest(message));
        break;
      case 'ack':
        this.publisher.onAck(message.id, message.delivered);
        break;
      case 'progress':
        this.calls.onProgress(message.id, message.progress);
        break;
      case 'settled':
        this.calls.onSettled(message.id, message.outcome, message.isOutdated);
        break;
      case 'account': {
        const frame = hubFrame('account', { type: message.type, at: message.at });
        this.outflow.owe(this.tabs.size, frame.length);
        for (const tab of this.tabs.values()) tab.write(frame);
        // A change of a connection by the command line arrives only as this message.
        if (message.type === 'connection-changed') this.onRequestsChanged();
        break;
      }
      case 'session-ended':
        for (const tab of this.tabs.values()) {
          if (tab.session === message.session) tab.end(SESSION_ENDED);
        }
    }
  }

  /** @throws UnknownTabError when `to` is no open tab of the account; `*` always passes */
  async assertOpen(to: string): Promise<void> {
    if (to === ALL_TABS || this.tabs.has(to) || this.listed.has(to)) return;
    this.outflow.countWork(LOOK_UP_BYTES);
    if (!(await this.presence.has(this.userId, to))) throw new UnknownTabError();
  }

  /** Resolves when the message is published, also for a tab that is closed. @throws TooManyDeliveriesError */
  async send(to: string, message: TabMessage): Promise<void> {
    const frame = this.frameOf(to, message);
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) this.deliver(sent, frame);
    else await this.publisher.publish(sent);
  }

  async sendAcknowledged(to: string, message: TabMessage): Promise<Delivery> {
    const frame = this.frameOf(to, message);
    const sent = messageTo(to, message);
    if (this.tabs.has(to)) return { delivered: this.deliver(sent, frame), isComplete: true };
    const ackId = generateId();
    return this.publisher.publishAcknowledged(ackId, { ...sent, ackId });
  }

  async call(to: string, request: TabRequest): Promise<unknown> {
    if (this.isClosed) throw new TabBusDownError();
    return this.calls.call(to, request);
  }

  /** Ignores later messages; calls fail, and counts of deliveries end. */
  close() {
    this.isClosed = true;
    this.listChanges.stop();
    this.toldChanges.tools.stop();
    this.toldChanges.tabs.stop();
    this.requestsChanges.stop();
    clearTimeout(this.expiry);
    this.calls.keepOnly(new Set());
    this.publisher.close();
    for (const listener of this.listeners) listener.closed();
  }

  /** Counts a message of a tab for all tabs that get it, on any replica; an app pays for its messages with credits. */
  private frameOf(to: string, message: TabMessage): Buffer {
    const frame = hubFrame('message', message);
    const tabs = to === ALL_TABS ? Math.max(this.tabs.size, this.listed.size) - 1 : 1;
    const fits = message.from === null || this.outflow.take(tabs, frame.length);
    if (!fits) throw new TooManyDeliveriesError();
    return frame;
  }

  /**
   * Writes the message to tabs of this replica; returns to how many. A message from a tab of another replica, which has
   * limits of its own, counts here too, and is dropped beyond the limits.
   */
  private deliver({ to, except, message }: Message, frame = hubFrame('message', message)): number {
    const tabs = to === ALL_TABS ? [...this.tabs.values()] : [this.tabs.get(to)];
    const addressed = tabs.filter((tab) => tab !== undefined).filter(({ id }) => id !== except);
    const { from } = message;
    if (from === null) this.outflow.owe(addressed.length, frame.length);
    else if (!this.tabs.has(from)) {
      this.outflow.countWork(frame.length);
      if (!this.outflow.take(addressed.length, frame.length)) return 0;
    }
    return addressed.filter((tab) => tab.write(frame)).length;
  }

  private async readList() {
    const tabs: readonly Tab[] = await this.presence.list(this.userId);
    if (this.isClosed) return;
    this.listed = new Set(tabs.map(({ id }) => id));
    this.calls.keepOnly(this.listed);
    const frame = hubFrame('tabs', { tabs });
    for (const tab of this.tabs.values()) tab.writeLatest('tabs', frame);
    const owedMs = this.outflow.owe(this.tabs.size, frame.length);
    const paidMs = (this.tabs.size * frame.length) / LIST_BYTES_PER_MS - LIST_GAP_MS;
    const waitMs = Math.max(owedMs, paidMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
  }

  private async readRequests() {
    const requests = await this.requests.of(this.userId);
    if (this.isClosed) return;
    const frame = hubFrame('requests', { requests: requests.map(shown) });
    const text = frame.toString('latin1');
    const outdated = [...this.sentRequests].filter(([, last]) => last !== text);
    for (const [tab] of outdated) {
      tab.writeLatest('requests', frame);
      this.sentRequests.set(tab, text);
    }
    this.outflow.owe(outdated.length, frame.length);
    this.readAtExpiry(requests);
  }

  private readAtExpiry(requests: readonly OpenRequest[]) {
    clearTimeout(this.expiry);
    if (requests.length === 0) return;
    const first = Math.min(...requests.map(({ expiresAt }) => expiresAt)) * 1000;
    const waitMs = Math.max(first - Date.now(), 0) + EXPIRY_LEEWAY_MS;
    const read = () => this.onRequestsChanged();
    this.expiry = setTimeout(read, Math.min(waitMs, MAX_EXPIRY_MS)).unref();
  }

  private tellListeners(of: ListListener['of']) {
    for (const listener of this.listeners) if (listener.of === of) listener.changed();
  }
}

/** The members that tabs may see. */
function shown({ id, app, title, passkey, expiresAt }: OpenRequest): OpenRequest {
  return { id, app, title, passkey, expiresAt };
}

const messageTo = (to: string, message: TabMessage) =>
  ({ kind: 'message', to, except: message.from, message }) as const;
