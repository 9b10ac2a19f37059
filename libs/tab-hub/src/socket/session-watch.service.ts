import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SecurityEventsService, SessionStore } from '#libs/accounts';
import type { LocalTab } from '../hub/local-tab.js';
import { type CloseFrame, SESSION_ENDED, STORE_AWAY } from '../protocol/frames-to-tab.js';

/** A session that ended without this replica being told is noticed within 30 seconds. */
const ROUND_MS = 20_000;
const BATCH = 500;

/** The longest wait of a timer in Node. */
const LONGEST_MS = 2 ** 31 - 1;

type Watched = Pick<LocalTab, 'session' | 'end'>;

interface Watch {
  readonly watched: Set<Watched>;
  expiresAt: number;
  timer: NodeJS.Timeout | undefined;
}

@Injectable()
export class SessionWatchService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SessionWatchService.name);
  private readonly watches = new Map<string, Watch>();
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly events: SecurityEventsService,
  ) {}

  onModuleInit() {
    this.unlisten = this.events.listen(({ endedSessions = [] }) => {
      for (const { tokenHash } of endedSessions) this.end(tokenHash, SESSION_ENDED);
    });
  }

  onModuleDestroy() {
    this.unlisten?.();
  }

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
    if (watch?.watched.delete(watched) && watch.watched.size === 0) this.forget(watched.session);
  }

  private start(session: string, expiresAt: number): Watch {
    const watch: Watch = { watched: new Set(), expiresAt, timer: undefined };
    this.watches.set(session, watch);
    this.schedule(session, watch);
    return watch;
  }

  private schedule(session: string, watch: Watch) {
    const delay = Math.min(Math.max(watch.expiresAt - Date.now(), 1), LONGEST_MS);
    watch.timer = setTimeout(() => void this.check(session, watch), delay);
  }

  private async check(session: string, watch: Watch) {
    let close: CloseFrame | undefined;
    try {
      const expiresAt = await this.sessions.expiryOf(session);
      if (expiresAt === undefined) close = SESSION_ENDED;
      else watch.expiresAt = expiresAt;
    } catch {
      if (watch.expiresAt <= Date.now()) close = STORE_AWAY;
    }
    if (this.watches.get(session) !== watch) return;
    if (close) this.end(session, close);
    else this.schedule(session, watch);
  }

  private end(session: string, close: CloseFrame) {
    const watch = this.watches.get(session);
    this.forget(session);
    for (const watched of watch?.watched ?? []) watched.end(close);
  }

  private forget(session: string) {
    clearTimeout(this.watches.get(session)?.timer);
    this.watches.delete(session);
  }

  /** In few statements, however many there are. While the store is down, all count as active. */
  @Interval('watched-sessions', ROUND_MS)
  async checkAll() {
    const watched = [...this.watches.keys()];
    try {
      for (let from = 0; from < watched.length; from += BATCH) {
        const batch = watched.slice(from, from + BATCH);
        const active = await this.sessions.activeAmong(batch);
        for (const session of batch) if (!active.has(session)) this.end(session, SESSION_ENDED);
      }
    } catch (error) {
      this.logger.debug(`sessions were not checked: ${String(error)}`);
    }
  }
}
