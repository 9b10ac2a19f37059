import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SecurityEventsService, SessionsService } from '#libs/accounts';
import { type CloseFrame, SESSION_ENDED, STORE_AWAY } from '../protocol/close-codes.js';
import { TabBus } from '../bus/tab-bus.js';

/** A session is checked this often at least, also one that is known to last longer. */
const MAX_UNCHECKED_MS = 5 * 60 * 1000;

/** What a session keeps open. */
interface Watched {
  /** `tokenHash` of the session. */
  readonly session: string;
  end(close: CloseFrame): void;
}

interface Watch {
  readonly watched: Set<Watched>;
  expiresAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** Tells all replicas that a session has ended here, and closes what an expired one keeps open. */
@Injectable()
export class SessionWatchService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SessionWatchService.name);
  private readonly watches = new Map<string, Watch>();
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly bus: TabBus,
  ) {}

  onModuleInit() {
    this.unlisten = this.events.listen(({ endedSessions = [] }) => {
      for (const { user, tokenHash } of endedSessions) void this.publishEnd(user.id, tokenHash);
    });
  }

  onModuleDestroy() {
    this.unlisten?.();
  }

  /** How many sessions are watched. */
  get size() {
    return this.watches.size;
  }

  /** Returns whether the session is still active; from now on its end is the end of `watched`. */
  async watch(watched: Watched, expiresAt: number): Promise<boolean> {
    const { session } = watched;
    const watch = this.watches.get(session) ?? this.start(session, expiresAt);
    watch.watched.add(watched);
    return (await this.sessions.expiryOf(session)) !== undefined;
  }

  release(watched: Watched) {
    const watch = this.watches.get(watched.session);
    if (!watch?.watched.delete(watched) || watch.watched.size > 0) return;
    clearTimeout(watch.timer);
    this.watches.delete(watched.session);
  }

  private start(session: string, expiresAt: number): Watch {
    const watch: Watch = { watched: new Set(), expiresAt, timer: undefined };
    this.watches.set(session, watch);
    this.schedule(session, watch);
    return watch;
  }

  private schedule(session: string, watch: Watch) {
    const delay = Math.min(Math.max(watch.expiresAt - Date.now(), 1), MAX_UNCHECKED_MS);
    watch.timer = setTimeout(() => void this.check(session, watch), delay);
  }

  private async check(session: string, watch: Watch) {
    const close = await this.closeFrameFor(session, watch);
    if (this.watches.get(session) !== watch) return;
    if (!close) return this.schedule(session, watch);
    this.end(session, close);
  }

  private async closeFrameFor(session: string, watch: Watch): Promise<CloseFrame | undefined> {
    try {
      const expiresAt = await this.sessions.expiryOf(session);
      if (expiresAt === undefined) return SESSION_ENDED;
      watch.expiresAt = expiresAt;
      return undefined;
    } catch {
      return watch.expiresAt <= Date.now() ? STORE_AWAY : undefined;
    }
  }

  private end(session: string, close: CloseFrame) {
    for (const watched of this.watches.get(session)?.watched ?? []) watched.end(close);
  }

  private async publishEnd(userId: string, session: string) {
    this.end(session, SESSION_ENDED);
    try {
      await this.bus.publish(userId, { kind: 'session-ended', session });
    } catch (error) {
      this.logger.warn(`other replicas may not know that a session has ended: ${String(error)}`);
    }
  }
}
