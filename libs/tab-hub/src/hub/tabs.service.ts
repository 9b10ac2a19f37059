import { Injectable } from '@nestjs/common';
import { AccountTurns, isLongerOrDeeper, whileWaiting } from '#libs/platform';
import { TabPresence } from '../presence/tab-presence.js';
import { MAX_NESTING } from '../protocol/frames-from-tab.js';
import { digestOf, type PageTool } from '../protocol/page-tool.js';
import { ALL_TABS, type Tab, type TabTools } from '../protocol/tab.js';
import type { AccountHub } from './account-hub.js';
import { AccountHubsService } from './account-hubs.service.js';
import { CallCancelledError, OversizedMessageError, UnknownTabError } from './errors.js';
import type { TabRequest } from './tab-calls.js';

/** A frame has 64 KiB; the rest is for what the hub adds. */
const MAX_BYTES = 60 * 1024;
const RETRY_MS = 1000;

const nothing = () => undefined;

interface AppMessage {
  /** The app's name, as the tab gets to see it. */
  readonly app: string;
  /** The id of a tab, or `*` for all of them. */
  readonly to: string;
  readonly body: unknown;
}

/** Called when the content fits and a tab is open for it. When it rejects, so does the call, undelivered. */
type BeforeDelivery = () => Promise<void>;

/** The tabs of an account, on any replica, for its apps. Rejects with the store's own error when that is down. */
@Injectable()
export class TabsService {
  constructor(
    private readonly hubs: AccountHubsService,
    private readonly presence: TabPresence,
    private readonly turns: AccountTurns = new AccountTurns(),
  ) {}

  async list(userId: string): Promise<Tab[]> {
    return this.presence.list(userId);
  }

  /** What the pages in the account's open tabs offer, the oldest connection first; those that offer nothing too. */
  async tools(userId: string): Promise<readonly TabTools[]> {
    return this.presence.tools(userId);
  }

  /** One open tab of the account, and what its page offers; undefined when there is none of that id. */
  async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    return this.presence.find(userId, tabId);
  }

  /**
   * Calls `listener`, which must not throw, when what the pages of the account offer may have changed, at most four times
   * a second, on whatever replica they are; returns what ends it. It goes on by itself when the bus was lost.
   */
  onToolsChanged(userId: string, listener: () => void): () => void {
    return this.follow('tools', userId, listener);
  }

  /** As `onToolsChanged`, also when a tab comes, goes, or says something else of itself. */
  onTabsChanged(userId: string, listener: () => void): () => void {
    return this.follow('tabs', userId, listener);
  }

  private follow(of: 'tools' | 'tabs', userId: string, listener: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let release = nothing;
    let isStopped = false;
    const begin = async (onFollowed: () => void) => {
      const hub = await this.hubs.acquire(userId).catch(() => undefined);
      if (!hub) return followLater();
      if (isStopped) return this.hubs.release(hub);
      const unlisten = hub.listen({ of, changed: listener, closed: followLater });
      release = () => {
        unlisten();
        this.hubs.release(hub);
      };
      onFollowed();
    };
    // Changes until then are missed, so the listener is called once it follows again.
    const followLater = () => {
      release();
      release = nothing;
      if (!isStopped) timer = setTimeout(() => void begin(listener), RETRY_MS).unref();
    };
    void begin(nothing);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      release();
    };
  }

  /**
   * Sends `message` to one tab or, with `*`, to all; returns to how many tabs it was written. With
   * `beforeDelivery`, a message to all that finds no open tab returns 0 and does not call it.
   * @throws UnknownTabError when the account has no tab of that id
   * @throws OversizedMessageError when the body is larger than 60 KiB of JSON, or nested too deep
   */
  async send(
    userId: string,
    { app, to, body = null }: AppMessage,
    beforeDelivery?: BeforeDelivery,
  ): Promise<number> {
    assertFits(body);
    if (beforeDelivery) {
      if ((await this.countOpen(userId, to)) === 0) return 0;
      await beforeDelivery();
    }
    return this.within(userId, async (hub) => {
      const { delivered, isComplete } = await hub.sendAcknowledged(to, { from: null, app, body });
      if (delivered === 0 && isComplete) await hub.assertOpen(to);
      return delivered;
    });
  }

  /**
   * Asks a tab and returns the value that it answers with (any JSON; `null` when it gave none).
   * @throws UnknownTabError, OversizedMessageError as `send`; TabGoneError; CallTimeoutError after `timeoutMs`;
   * CallCancelledError when `signal` was aborted; CallRefusedError with what the tab said; OutdatedCallError when the
   * page offers other tools than `beforeDelivery` has returned; TooManyCallsError when the account has 64 calls waiting
   * on this replica
   */
  async call(
    userId: string,
    { tab, params = null, ...about }: TabRequest & { readonly tab: string },
    beforeDelivery?: () => Promise<readonly PageTool[] | void>,
  ): Promise<unknown> {
    assertFits([about.method, params]);
    if (tab === ALL_TABS) throw new UnknownTabError();
    if (about.signal?.aborted) throw new CallCancelledError();
    if (beforeDelivery) await this.countOpen(userId, tab);
    const tools = await beforeDelivery?.();
    if (tools) await this.turns.take(userId);
    const checkedBy = tools ? digestOf(tools) : undefined;
    return this.within(userId, (hub) => hub.call(tab, { params, checkedBy, ...about }));
  }

  /** @throws UnknownTabError when `to` is the id of no open tab */
  private async countOpen(userId: string, to: string): Promise<number> {
    if (to === ALL_TABS) return (await this.presence.list(userId)).length;
    if (!(await this.presence.has(userId, to))) throw new UnknownTabError();
    return 1;
  }

  private async within<T>(userId: string, work: (hub: AccountHub) => Promise<T>): Promise<T> {
    const hub = await this.hubs.acquire(userId);
    try {
      return await whileWaiting(() => work(hub));
    } finally {
      this.hubs.release(hub);
    }
  }
}

/** @throws OversizedMessageError for JSON that would not fit in a frame: at once where it is much longer */
export function assertFits(content: unknown): void {
  const isBeyond = isLongerOrDeeper(content, MAX_BYTES, MAX_NESTING);
  if (isBeyond || Buffer.byteLength(JSON.stringify(content)) > MAX_BYTES) {
    throw new OversizedMessageError(MAX_BYTES);
  }
}
