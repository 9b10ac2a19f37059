import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RefusalError, type Session } from '#libs/accounts';
import {
  type Flow,
  HeldBytes,
  isDatabaseOutage,
  isRedisOutage,
  Throttle,
  TokenBuckets,
} from '#libs/platform';
import { TabBus, TABS_CHANGED, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { LIST_GAP_MS } from '../hub/account-hub.js';
import { AccountHubsService } from '../hub/account-hubs.service.js';
import { TooManyDeliveriesError, UnknownTabError } from '../hub/errors.js';
import { TabPresence } from '../presence/tab-presence.js';
import { FrameError } from '../protocol/frame-fields.js';
import {
  type CloseFrame,
  FAILED,
  GOING_AWAY,
  NO_HEARTBEAT,
  SESSION_ENDED,
  STORE_AWAY,
  TOO_MANY_TABS,
} from '../protocol/frames-to-tab.js';
import { SessionWatchService } from './session-watch.service.js';
import type { TabSocket } from './tab-socket.js';

const HEARTBEAT_MS = 30_000;
const INCOMING_MS = 500;
const HEARD_GAP_MS = 1000;
/** Connections of an account to this replica; one with a large welcome, or that sends too much, counts as several. */
const CONNECTIONS: Flow = { atOnce: 128, perSecond: 8 };
const WELCOME_BYTES = 16 * 1024;
const DROPPED_FRAMES = 32;
/** What tabs leave unread: of an account, and of all. */
const UNREAD = { perHolder: 4 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

@Injectable()
export class TabConnectionsService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TabConnectionsService.name);
  private readonly sockets = new Set<TabSocket>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly unread = new HeldBytes(UNREAD);
  /** What came from tabs and is not whole or waits: 32 tabs have at most 9 of their 16 MiB, so one account loses none. */
  private readonly incoming = new HeldBytes();
  private readonly allowance = new TokenBuckets(CONNECTIONS);
  private isClosing = false;

  constructor(
    private readonly hubs: AccountHubsService,
    private readonly sessions: SessionWatchService,
    private readonly presence: TabPresence,
    private readonly bus: TabBus,
  ) {}

  onModuleInit() {
    this.bus.onLost(() => this.endAll(STORE_AWAY));
    this.presence.onLost(() => this.endAll(STORE_AWAY));
  }

  /** Before the service ends: sends tabs away that owe no answer; the others go after their requests. */
  sendIdleAway() {
    this.isClosing = true;
    for (const socket of this.sockets) if (socket.requests.size === 0) socket.end(GOING_AWAY);
  }

  async onModuleDestroy() {
    this.isClosing = true;
    this.endAll(GOING_AWAY);
    while (this.leaving.size > 0) await Promise.all(this.leaving);
  }

  get all(): ReadonlySet<TabSocket> {
    return this.sockets;
  }

  countByAccount(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { userId } of this.sockets) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    return counts;
  }

  count(userId: string): void {
    const allowance = this.allowance.of(userId);
    if (allowance.take(1)) return;
    const seconds = Math.max(1, Math.ceil(allowance.owe(0) / 1000));
    const headers = { 'Retry-After': String(seconds) };
    const text = `too many connections of this account; try again in ${seconds} s`;
    throw new RefusalError(429, text, headers);
  }

  countDropped(userId: string, frames: number): void {
    this.allowance.of(userId).owe(frames / DROPPED_FRAMES);
  }

  /** Resolves when the tab was welcomed, or has been turned away. Never rejects. */
  open(socket: TabSocket, session: Session): Promise<void> {
    socket.userId = session.user.id;
    socket.session = session.tokenHash;
    socket.unread = this.unread;
    socket.incoming = this.incoming;
    socket.changes = new Throttle(LIST_GAP_MS, () => this.tell(socket));
    this.sockets.add(socket);
    socket.opened = this.admit(socket, session).catch((error: unknown) =>
      this.handleError(socket, error),
    );
    return socket.opened;
  }

  /** Resolves when the tab, which has begun to close, is no longer known. Never rejects. */
  leave(socket: TabSocket): Promise<void> {
    socket.changes?.stop();
    socket.offer?.changes.stop();
    socket.heldBack?.abort();
    const left = this.forget(socket);
    this.leaving.add(left);
    return left.finally(() => this.leaving.delete(left));
  }

  /** Records, once a second at most, when a page that offers tools last said something: apps use the latest one. */
  recordActivity(tab: TabSocket) {
    const now = performance.now();
    if (tab.toolNames.length === 0 || now - tab.heardAt < HEARD_GAP_MS) return;
    tab.heardAt = now;
    this.presence
      .update(tab.userId, tab.tab)
      .catch((error: unknown) => this.handleError(tab, error));
  }

  @Interval('tab-heartbeat', HEARTBEAT_MS)
  beat() {
    for (const socket of this.sockets) {
      if (!socket.isAlive) socket.end(NO_HEARTBEAT);
      else if (socket.isOpen) {
        socket.isAlive = false;
        socket.ping();
      }
    }
  }

  /** Nothing tells what the buffer of a connection takes while it is not read. */
  @Interval('tab-incoming', INCOMING_MS)
  countIncoming() {
    for (const socket of this.sockets) if (socket.isPaused) socket.countIncoming();
  }

  /** Answers a refused frame with `error`; for anything else, closes with the code for what went wrong. */
  handleError(socket: TabSocket, error: unknown): void {
    if (error instanceof FrameError) return socket.refuse(error);
    if (error instanceof TooManyDeliveriesError) return socket.drop();
    if (error instanceof UnknownTabError) {
      return socket.refuse(new FrameError('unknown_tab', error.message));
    }
    if (isRedisOutage(error) || isDatabaseOutage(error)) return socket.end(STORE_AWAY);
    this.logger.error(`a tab's connection failed: ${String(error)}`);
    socket.end(FAILED);
  }

  /**
   * 1. The tab joins its account's hub: from now on it misses no message.
   * 2. Its session is still active: otherwise close 4401.
   * 3. It is one of at most 32 tabs of the account: otherwise close 4429.
   * 4. It gets `welcome`, then `requests` once these are read, and the other tabs `tabs`.
   */
  private async admit(socket: TabSocket, session: Session) {
    if (this.isClosing) return socket.end(GOING_AWAY);
    socket.hub = await this.hubs.acquire(socket.userId);
    socket.hub.join(socket);
    const isActive = await this.sessions.watch(socket, session.expiresAt);
    if (!isActive) return socket.end(SESSION_ENDED);
    if (!socket.isOpen) return;
    socket.isListed = true;
    const tabs = await this.presence.add(socket.userId, socket.tab);
    if (!tabs) {
      socket.isListed = false;
      return socket.end(TOO_MANY_TABS);
    }
    const bytes = socket.welcome(tabs);
    socket.hub.sendRequests(socket);
    this.allowance.of(socket.userId).owe(Math.floor(bytes / WELCOME_BYTES));
    await this.bus.publish(socket.userId, TABS_CHANGED);
  }

  private async tell(tab: TabSocket) {
    try {
      await this.presence.update(tab.userId, tab.tab);
      await this.bus.publish(tab.userId, TABS_CHANGED);
    } catch (error) {
      this.handleError(tab, error);
    }
  }

  private async forget(socket: TabSocket) {
    this.sockets.delete(socket);
    await socket.opened;
    this.sessions.release(socket);
    const { hub } = socket;
    if (!hub) return;
    hub.leave(socket);
    if (socket.isListed) await this.unlist(socket);
    this.hubs.release(hub);
  }

  private async unlist({ userId, id, toolNames }: TabSocket) {
    try {
      await this.presence.remove(userId, id);
      await this.bus.publish(userId, toolNames.length > 0 ? TOOLS_CHANGED : TABS_CHANGED);
    } catch (error) {
      this.logger.debug(`a tab left during an outage: ${String(error)}`);
    }
  }

  private endAll(close: CloseFrame) {
    for (const socket of this.sockets) socket.end(close);
  }
}
