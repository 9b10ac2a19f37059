import type { TabBusMessage } from '../bus/tab-bus.js';
import type { CloseFrame } from '../protocol/frames-to-tab.js';

/** A replica that still runs takes its requests back itself; this is for one that crashed. */
const GRACE_MS = 500;
/** A request of an earlier version has `expiresAt` alone, by a clock that may be behind. */
const LEEWAY_MS = 60_000;

export type LatestKind = 'tabs' | 'requests';

export interface LocalTab {
  readonly id: string;
  /** `tokenHash` of the session that opened it. */
  readonly session: string;
  readonly requests: TabRequests;
  /** Returns whether it was written: not before the welcome, and not to a tab that is closing. */
  write(frame: Buffer): boolean;
  /** As `write`, for a frame that replaces those of its kind: of several that wait for a slow reader, only the last is written. */
  writeLatest(kind: LatestKind, frame: Buffer): void;
  end(close: CloseFrame): void;
}

type AskedOf = Pick<
  Extract<TabBusMessage, { kind: 'request' }>,
  'id' | 'expiresAt' | 'timeoutMs' | 'wantsProgress'
>;

interface OpenRequest {
  readonly wantsProgress: boolean;
  readonly timer: NodeJS.Timeout;
  progress: number;
}

/** Requests that a tab has not answered yet; each is closed once. */
export class TabRequests {
  private readonly open = new Map<string, OpenRequest>();

  get size() {
    return this.open.size;
  }

  has(id: string) {
    return this.open.has(id);
  }

  add({ id, expiresAt, timeoutMs, wantsProgress = false }: AskedOf, onExpired: () => void) {
    this.close(id);
    const leftMs = Math.max(Date.parse(expiresAt) - Date.now(), 0) + LEEWAY_MS;
    const timer = setTimeout(onExpired, timeoutMs === undefined ? leftMs : timeoutMs + GRACE_MS);
    this.open.set(id, { wantsProgress, timer: timer.unref(), progress: -Infinity });
  }

  close(id: string): boolean {
    clearTimeout(this.open.get(id)?.timer);
    return this.open.delete(id);
  }

  closeAll(): string[] {
    const ids = [...this.open.keys()];
    for (const id of ids) this.close(id);
    return ids;
  }

  /** Records progress; returns whether the caller is to hear of it: not when it is no more than before. */
  advance(id: string, progress: number): boolean {
    const request = this.open.get(id);
    if (!request || progress <= request.progress) return false;
    request.progress = progress;
    return request.wantsProgress;
  }
}
